/** Baselines for the service, in a separate process: sinks, sources, and Koa with SQLite. */
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { unlink } from 'node:fs/promises'
import http from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Router from '@koa/router'
import Database from 'better-sqlite3'
import Koa from 'koa'

const [folder = '.', big = ''] = process.argv.slice(2)
const CHUNK = 1 << 20

const database = new Database(join(folder, 'baseline.sqlite'))
database.pragma('journal_mode = WAL')
database.pragma('synchronous = NORMAL')
database.exec('create table jobs (id text primary key, status text, body text)')
const insert = database.prepare('insert into jobs values (?, ?, ?)')
const select = database.prepare('select * from jobs where id = ?')
insert.run('one', 'completed', 'x'.repeat(300))

const router = new Router()
router.get('/jobs/:id', (ctx) => {
  ctx.body = { job: select.get(ctx.params.id!) }
})
router.post('/jobs', (ctx) => {
  const id = randomUUID()
  insert.run(id, 'queued', 'x'.repeat(300))
  ctx.status = 201
  ctx.body = { job: select.get(id) }
})
const koa = new Koa().use(router.routes()).callback()

const server = http.createServer(async (request, response) => {
  if (request.url === '/sink') {
    const path = join(folder, randomUUID())
    await pipeline(request, createWriteStream(path, { highWaterMark: CHUNK }))
    await unlink(path)
    response.end('ok')
  } else if (request.url === '/source') {
    await pipeline(createReadStream(big, { highWaterMark: CHUNK }), response)
  } else await koa(request, response)
})
server.requestTimeout = 0
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
