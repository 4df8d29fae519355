/** The database fails while conversions run, and returns: nothing is lost, and no restart is needed. */
import { setTimeout as delay } from 'node:timers/promises'
import mysql from 'mysql2/promise'
import t from 'tap'
import { installation, leftovers, storedKeys } from '../harness/installation.ts'
import type { Service } from '../harness/program.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { until } from '../harness/until.ts'

/** How long the database is unavailable, in milliseconds. */
const AWAY = 8_000

const server = await startMariaDb()
t.teardown(() => server[Symbol.asyncDispose]())

const readiness = (service: Service) => fetch(`${service.base}/readyz`).then(({ status }) => status)

t.test('ends of conversions are recorded as soon as the database is back', async (t) => {
  const url = await server.create('gone')
  const { dataDir, live } = await installation(t)
  const service = await live({ queue: { workers: 6 } }, { DATABASE_URL: url })
  const { fileId } = await service.upload('STUB\ntext', 'a.stub')
  const begin = (options: object) => service.start(fileId, 'bust', options)
  // The first three end while it is unavailable, the next when it is back; waiting conversions are claimed then.
  const ids = await Promise.all([
    begin({ sleep: 4000 }),
    begin({ sleep: 4500, fail: 'refuse' }),
    begin({ sleep: AWAY + 3000 }),
    ...Array.from({ length: 5 }, () => begin({ sleep: 300 })),
  ])
  // Those that end while it is unavailable are claimed.
  await until(async () => {
    const { json } = await service.call('GET', '/api/conversions?status=processing')
    return ids.slice(0, 3).every((id) => json.conversions.some((one: any) => one.id === id))
  })
  await server.stop()
  const began = performance.now()

  await t.test('while the database is unavailable', async (t) => {
    for (const [name, ask] of Object.entries({
      'a record': () => service.call('GET', `/api/conversions/${ids[0]}`),
      'a list': () => service.call('GET', '/api/conversions'),
      'a start': () => service.call('POST', '/api/conversions', { fileId, toFormat: 'bust' }),
      'a cancellation': () => service.call('DELETE', `/api/conversions/${ids[0]}`),
      'a sign-in': () => service.call('POST', '/api/auth/login', { email: 'a@b.example', password: 'long enough' }),
    })) {
      t.match(await ask(), { status: 503, json: { error: { code: 'NOT_READY' } } }, name)
    }
    await t.rejects(service.upload('STUB\nmore', 'b.stub'), { message: /503.*NOT_READY/ })
    t.equal(await readiness(service), 503)
    t.equal((await service.call('GET', '/healthz')).status, 200, 'it lives')
    t.equal((await service.call('GET', '/api/formats')).status, 200, 'what needs no record is answered')
  })

  await delay(AWAY - (performance.now() - began))
  await server.start()
  const [first, refused, ...others] = await Promise.all(ids.map((id) => service.finish(id)))
  t.match(first, { status: 'completed', progress: 100 }, 'it ended while nobody could write that down')
  t.match(refused, { status: 'failed', error: { code: 'CONVERSION_ERROR' } })
  for (const record of others) t.match(record, { status: 'completed' })
  t.equal(await readiness(service), 200)
  const result = await fetch(first.outputUrl)
  t.equal(await result.text(), 'BUST\ntext', 'the result is there')

  const connection = await mysql.createConnection(url)
  const [[use]] = (await connection.query('select conversions from quota_use')) as any
  t.equal(use.conversions, ids.length - 1, 'the one that failed cost nothing, the others once')
  const [rows] = (await connection.query('select attempts, output_key from conversions')) as any
  t.ok(rows.every(({ attempts }: any) => attempts === 1) || console.log(rows), 'nothing was done twice')
  await connection.end()
  t.same(
    (await storedKeys(dataDir)).sort(),
    [fileId, ...rows.flatMap(({ output_key }: any) => output_key ?? [])].sort(),
    'no file but those that are recorded',
  )
  t.equal(await service.end('SIGTERM'), 0)
  t.same(await leftovers(dataDir), [])
})
