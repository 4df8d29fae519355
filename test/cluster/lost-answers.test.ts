/**
 * MariaDB does what it is asked and its answer is lost: the client gets 503, and nothing is charged without a record.
 */
import t from 'tap'
import { startCluster } from '../harness/nodes.ts'
import { startFaultyDatabase } from '../harness/servers/faulty-database.ts'
import { call, finish, form, post, upload as send, startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

t.setTimeout(600_000)

const cluster = await startCluster(t)
const proxy = cluster.servers.use(await startFaultyDatabase(cluster.url))
const service = cluster.servers.use(
  await startService({
    env: { ...cluster.env, DATABASE_URL: proxy.url },
    change: ({ plans }) => Object.assign(plans.guest, { pendingJobs: null, conversionsPerDay: null }),
  }),
)
const upload = (text: string, name: string) => send(service, form(`STUB\n${text}`, name))
const { fileId } = (await upload('text', 'a.stub')).json.file
const start = (options = {}) => post(service, '/api/conversions', { fileId, toFormat: 'bust', options })
// Later ones need one transaction each: the rows that count are there.
await finish(service, (await start()).json.conversionId)
const charged = () => cluster.count('select coalesce(max(conversions), 0) from quota_use')
const stored = () => cluster.count('select coalesce(max(bytes), 0) from stored_bytes')
const records = /insert into `(conversions|files|resumable_uploads)`/i

/** Begins a resumable upload. */
const begin = (size: number) => {
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': `${size}` }
  return call(service, 'POST', '/api/uploads/tus', { headers })
}

/**
 * Breaks the connection of the next transaction with such a statement, by default one that inserts a record: before its
 * commit, or instead of the answer to that.
 */
function breakNext(how: 'drop' | 'lose', statement = records): { happened: () => boolean } {
  const seen = new Set<object>()
  let broken = false
  proxy.fault = (sql, connection) => {
    if (broken) return undefined
    if (statement.test(sql)) seen.add(connection)
    if (!seen.has(connection) || !/^commit/i.test(sql)) return undefined
    broken = true
    return how
  }
  return { happened: () => broken }
}

t.test('a transaction that was lost before its commit has changed nothing', async (t) => {
  const before = [await charged(), await stored()]
  for (const ask of [() => start(), () => upload('lost', 'b.stub'), () => begin(1000)]) {
    const { happened } = breakNext('drop')
    const { status } = await ask()
    t.match({ status, happened: happened() }, { status: 503, happened: true })
    t.strictSame([await charged(), await stored()], before)
  }
})

t.test('a conversion whose answer was lost is charged once, runs, and is in the list', async (t) => {
  const before = await charged()
  const { happened } = breakNext('lose')
  const { status } = await start({ sleep: 10 })
  t.match({ status, happened: happened() }, { status: 503, happened: true })
  const made = () => cluster.rows("select id, status from conversions where options like '%sleep%'")
  await until(async () => (await made())[0]?.status === 'completed')
  t.equal((await made()).length, 1)
  t.equal(await charged(), before + 1)
  const { json } = await call(service, 'GET', '/api/conversions')
  t.equal(json.conversions[0].id, (await made())[0]!.id)
})

t.test('a conversion that completed while the answer was lost is logged and counted once', async (t) => {
  const reported: string[] = []
  service.kernel.events.on('figures', ({ row }) => reported.push(row.id))
  const { happened } = breakNext('lose', /^update `conversions` .*'completed'/is)
  const id = (await start()).json.conversionId
  t.match(await finish(service, id), { status: 'completed' })
  t.ok(happened())
  await until(() => reported.length > 0)
  // The next one is reported after all that the first one could have caused.
  const next = (await start()).json.conversionId
  await finish(service, next)
  await until(() => reported.includes(next))
  t.strictSame(reported, [id, next])
  const lines = service.log.filter(({ msg, conversion }) => msg === 'conversion' && conversion === id)
  t.match(lines, [{ status: 'completed', pair: 'stub>bust' }])
  t.equal(lines.length, 1)
})

t.test('an upload whose answer was lost is removed, and costs nothing', async (t) => {
  const before = await stored()
  const { happened } = breakNext('lose')
  const { status } = await upload('third', 'c.stub')
  t.match({ status, happened: happened() }, { status: 503, happened: true })
  await until(async () => (await cluster.count("select count(*) from files where name = 'c.stub'")) === 0)
  await until(async () => (await stored()) === before)
})

t.test('what never reached the database is refused at once', async (t) => {
  const before = await charged()
  proxy.setAway(true)
  t.match(await start(), { status: 503 })
  proxy.setAway(false)
  t.equal(await charged(), before)
})
