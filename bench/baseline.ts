/** Baselines for the service, in a separate process: sinks, sources, and Koa with SQLite. */
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { unlink } from 'node:fs/promises'
import http from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import Router from '@koa/router'
import Database from 'better-sqlite3'
import Koa from 'koa'

// The parser that multer uses. It has no types.
const busboy = createRequire(import.meta.url)('busboy')

const [folder = '.', big = ''] = process.argv.slice(2)
const CHUNK = 1 << 20

const database = new Database(join(folder, 'baseline.sqlite'))
database.pragma('journal_mode = WAL')
database.pragma('synchronous = NORMAL')
database.exec('create table jobs (id text primary key, status text, body text)')
database.exec('create index by_status on jobs (status)')
const select = database.prepare('select * from jobs where id = ?')
// Its answer has about as many bytes as that of a completed conversion.
database.prepare('insert into jobs values (?, ?, ?)').run('one', 'completed', 'x'.repeat(710))

database.exec('create table quota (subject text primary key, conversions integer, bytes integer)')
database.exec("insert into quota values ('guest', 0, 0)")
const charge = database.prepare(
  "update quota set conversions = conversions + 1, bytes = bytes + ? where subject = 'guest'",
)
const admit = database.prepare(
  "insert into jobs select ?, 'queued', ? where (select count(*) from jobs where status = 'queued' limit 1) < ? and (select count(*) from jobs where id = ?) < 1",
)
const start = database.transaction((id: string, body: string) => {
  charge.run(body.length)
  admit.run(id, body, 1e9, id)
})

const router = new Router()
router.get('/jobs/:id', (ctx) => {
  ctx.body = { job: select.get(ctx.params.id!) }
})
/** The statements of a start: the file, and in one transaction the quota and the record within its limits. */
router.post('/starts', async (ctx) => {
  const chunks: Buffer[] = []
  for await (const chunk of ctx.req) chunks.push(chunk)
  const body = JSON.parse(Buffer.concat(chunks).toString())
  select.get('one')
  const id = randomUUID()
  start.immediate(id, JSON.stringify(body).padEnd(300))
  ctx.status = 201
  ctx.body = { conversionId: id, queued: true, queueDepth: 1 }
})
router.delete('/starts', (ctx) => {
  database.exec("delete from jobs where status = 'queued'")
  ctx.status = 204
})
const koa = new Koa().use(router.routes()).callback()

const server = http.createServer(async (request, response) => {
  if (request.url === '/sink') {
    const path = join(folder, randomUUID())
    await pipeline(request, createWriteStream(path, { highWaterMark: CHUNK }))
    await unlink(path)
    response.end('ok')
  } else if (request.url === '/form') {
    const path = join(folder, randomUUID())
    const parser = busboy({ headers: request.headers, highWaterMark: CHUNK, fileHwm: CHUNK })
    let written: Promise<void> | undefined
    parser.on('file', (_name: string, file: Readable) => {
      written = pipeline(file, createWriteStream(path, { highWaterMark: CHUNK }))
    })
    await pipeline(request, parser)
    await written
    await unlink(path)
    response.end('{}')
  } else if (request.url === '/source') {
    await pipeline(createReadStream(big, { highWaterMark: CHUNK }), response)
  } else await koa(request, response)
})
server.requestTimeout = 0
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
