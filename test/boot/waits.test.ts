/** A start while its servers are away: it waits for them, and refuses what waiting cannot change. */
import { join } from 'node:path'
import t from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { folderOf } from '../harness/folder.ts'
import { startFaultyDatabase } from '../harness/servers/faulty-database.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { startRedis } from '../harness/servers/redis.ts'
import { until } from '../harness/until.ts'
import { startStub } from './program.ts'

const folder = await folderOf(t)
const [server, redis] = await Promise.all([startMariaDb(), startRedis('secret')])
t.teardown(() => server[Symbol.asyncDispose]())
t.teardown(() => redis[Symbol.asyncDispose]())
const proxy = await startFaultyDatabase(await server.create('late'))
t.teardown(() => proxy[Symbol.asyncDispose]())
const env = {
  DATABASE_URL: proxy.url,
  REDIS_URL: redis.url.replace('//', '//:secret@'),
  STORAGE_URL: `file://${folder}`,
  JWT_SECRET: 'x'.repeat(32),
}
const yaml = 'shutdown: { delay: 0, grace: 1s }'
const start = () => startStub(t, join(folder, 'data'), { env, yaml })

t.test('it waits for Redis and the database, says so once each, and is ready when they are back', async (t) => {
  await redis.stop()
  proxy.setAway(true)
  const service = start()
  const lines = (text: string) =>
    service
      .stdout()
      .split('\n')
      .filter((line) => line.includes(text))
  await until(() => lines('waiting for a server').length === 1)
  t.match(JSON.parse(lines('waiting')[0]!), { level: 40, reason: /^REDIS_URL: Redis does not answer: .*ECONNREFUSED/ })
  await redis.start()
  const tries = proxy.refused()
  await until(() => proxy.refused() > tries + 1)
  t.equal(lines('waiting').length, 1, 'not a line for each attempt')
  proxy.setAway(false)
  t.ok(await service.ready())
  t.equal(lines('the servers answer').length, 1)

  await redis.stop()
  await until(() => lines('Redis is away').length > 0)
  await redis.start()
  await until(() => lines('Redis is back').length > 0)
  t.match([lines('Redis is away').length, lines('Redis is back').length], [1, 1], 'one line for each change')
  service.kill('SIGTERM')
  t.match(await service.ended(), { code: 0 })
})

t.test('a signal ends the wait', async (t) => {
  proxy.setAway(true)
  const service = start()
  await until(() => service.stdout().includes('waiting for a server'))
  service.kill('SIGTERM')
  t.match(await service.ended(), { code: 0 })
  proxy.setAway(false)
})

t.test('wrong credentials are refused', async (t) => {
  const url = proxy.url.replace('root', 'nobody')
  const message = /^The database cannot be used: Access denied .*Check DATABASE_URL\.$/
  await t.rejects(openDatabase({ url, dataDir: folder }), { name: 'StartError', message })
})
