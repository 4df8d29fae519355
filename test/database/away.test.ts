/** What the log says while the database is away: that, once, and not each failure. */
import t from 'tap'
import { startFaultyDatabase } from '../harness/servers/faulty-database.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { get, serviceOf } from '../harness/service.ts'
import { until } from '../harness/until.ts'

t.test('one line when it goes away, and one when it is back', async (t) => {
  const server = await startMariaDb()
  t.teardown(() => server[Symbol.asyncDispose]())
  const proxy = await startFaultyDatabase(await server.create('away'))
  t.teardown(() => proxy[Symbol.asyncDispose]())
  const service = await serviceOf(t, { env: { DATABASE_URL: proxy.url } })
  t.match(
    service.log.find(({ msg }) => msg === 'changed the schema of the database'),
    { migrations: ['001-initial'], ms: Number },
  )
  const logged = (message: string) => service.log.filter(({ msg }) => msg === message)
  const before = service.log.length

  proxy.setAway(true)
  const refused = await get(service, '/api/conversions', { 'x-request-id': 'while-away' })
  t.equal(refused.status, 503)
  const failures = () => logged('cannot look for lost conversions').length + logged('settings not read').length
  await until(() => failures() >= 3)
  const isUp = async () =>
    /^athanor_part_up\{part="database"\} (.)$/m.exec(`${(await get(service, '/metrics')).body}`)?.[1]
  t.equal(await isUp(), '0')
  proxy.setAway(false)
  await until(() => logged('the database is back').length > 0)
  t.equal(await isUp(), '1')
  t.match(logged('the database is back'), [{ level: 30, seconds: Number }])

  const seen = service.log.slice(before).filter(({ level }) => (level as number) >= 40)
  const byMessage = Object.groupBy(seen, ({ msg }) => msg as string)
  t.match(byMessage['the database is away'], [{ reason: String }])
  t.match(
    byMessage.request,
    [{ requestId: 'while-away', code: 'NOT_READY', reason: String }],
    'the reason is in its line',
  )
  t.strictSame(Object.keys(byMessage).sort(), ['request', 'the database is away'])
  t.equal(seen.length, 2)
  t.notOk(
    seen.some((line) => 'err' in line),
    'and no stack',
  )
})
