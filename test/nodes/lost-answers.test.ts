/** MariaDB does what it is asked and its answer is lost: a client is told what happened, and pays only for what it gets. */
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
const records = /insert into (conversions|files|resumable_uploads)/i

/** Begins a resumable upload. Resolves to the status. */
const begin = async (size: number) => {
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': `${size}` }
  return (await call(service, 'POST', '/api/uploads/tus', { headers })).status
}

/** Loses the answer to the next statement that inserts a conversion, a file or a resumable upload, and lets nobody connect for a while. */
function loseNext(away: number): { wasLost: () => boolean } {
  let lost = false
  proxy.fault = (sql) => {
    if (lost || !records.test(sql)) return undefined
    lost = true
    return 'lose'
  }
  proxy.answered = (sql) => {
    if (!away || !records.test(sql)) return
    proxy.answered = () => {}
    proxy.setAway(true)
    setTimeout(() => proxy.setAway(false), away)
  }
  return { wasLost: () => lost }
}

t.test('the database answers again soon', async (t) => {
  const [before, bytes] = [await charged(), await stored()]
  const fault = loseNext(0)
  const { status, json } = await start()
  t.match({ status, lost: fault.wasLost() }, { status: 201, lost: true })
  t.match(await finish(service, json.conversionId), { status: 'completed' })
  t.equal(await charged(), before + 1, 'charged once')
  const second = loseNext(0)
  const other = (await upload('other', 'b.stub')).json.file
  t.ok(second.wasLost())
  const begun = await post(service, '/api/conversions', { fileId: other.fileId, toFormat: 'bust' })
  t.match(await finish(service, begun.json.conversionId), { status: 'completed' }, 'the upload has its bytes')
  t.ok((await stored()) > bytes)
  const [held, third] = [await stored(), loseNext(0)]
  t.match({ status: await begin(1000), lost: third.wasLost() }, { status: 201, lost: true })
  t.equal(await stored(), held + 1000, 'a resumable upload reserves its size once')
})

t.test('the database is away for longer than a client waits', async (t) => {
  const [before, bytes] = [await charged(), await stored()]
  const fault = loseNext(5000)
  const { status } = await start({ sleep: 60_000 })
  t.match({ status, lost: fault.wasLost() }, { status: 503, lost: true })
  await until(async () => (await charged().catch(() => -1)) === before)
  const rows = await cluster.rows("select status, error_code from conversions where options like '%60000%'")
  t.match(rows, [{ status: 'failed', error_code: 'CANCELLED' }], 'it was withdrawn')

  loseNext(5000)
  t.equal((await upload('third', 'c.stub')).status, 503)
  await until(async () => (await cluster.count("select count(*) from files where name = 'c.stub'")) === 0)
  t.equal(await stored(), bytes, 'an upload that was not confirmed costs nothing')

  loseNext(5000)
  t.equal(await begin(2000), 503)
  await until(
    async () =>
      (await cluster.count('select count(*) from resumable_uploads where size = 2000 and outcome is null')) === 0,
  )
  await until(async () => (await stored()) === bytes)
})

t.test('what never reached the database is refused at once', async (t) => {
  const before = await charged()
  proxy.setAway(true)
  t.match(await start(), { status: 503 })
  proxy.setAway(false)
  t.equal(await charged(), before)
})
