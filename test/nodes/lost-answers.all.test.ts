/** MariaDB does what it is asked and its answer is lost: a client is told what happened, and pays only for what it gets. */
import t from 'tap'
import { startCluster } from '../harness/nodes.ts'
import { startFaultyDatabase } from '../harness/servers/faulty-database.ts'
import { until } from '../harness/until.ts'

t.setTimeout(600_000)

const cluster = await startCluster(t)
const proxy = cluster.servers.use(await startFaultyDatabase(cluster.env.DATABASE_URL))
let node = await cluster.node({ queue: { workers: 2, heavyWorkers: 1 } }, { DATABASE_URL: proxy.url })
const { fileId } = await node.upload('STUB\ntext', 'a.stub')
// Later ones need one transaction each: the rows that count are there.
await node.finish(await node.start(fileId, 'bust'))
const charged = () => cluster.count('select coalesce(max(conversions), 0) from quota_use')
const stored = () => cluster.count('select coalesce(max(bytes), 0) from stored_bytes')
const start = (options = {}) => node.call('POST', '/api/conversions', { fileId, toFormat: 'bust', options })
const records = /insert into (conversions|files|resumable_uploads)/i

/** Begins a resumable upload. Resolves to the status. */
const begin = async (size: number) => {
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': `${size}` }
  return (await fetch(`${node.base}/api/uploads/tus`, { method: 'POST', headers })).status
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
  t.match(await node.finish(json.conversionId), { status: 'completed' })
  t.equal(await charged(), before + 1, 'charged once')
  const second = loseNext(0)
  const upload = await node.upload('STUB\nother', 'b.stub')
  t.ok(second.wasLost())
  t.match(
    await node.finish(await node.start(upload.fileId, 'bust')),
    { status: 'completed' },
    'the upload has its bytes',
  )
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
  await t.rejects(node.upload('STUB\nthird', 'c.stub'), { message: /503/ })
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

t.test('the database hangs, and does later what its client has given up', async (t) => {
  const before = await charged()
  const { database } = cluster
  // The statement has reached the server, which reads it only when it goes on.
  let hangs = false
  proxy.fault = (sql) => {
    if (!hangs && /insert into conversions/i.test(sql)) {
      hangs = true
      database.pause()
    }
    return undefined
  }
  const { status } = await start({ sleep: 50_000 })
  t.match({ status, hangs }, { status: 503, hangs: true })
  // Longer than looks for what was lost had lasted, from when it was lost.
  await new Promise((resolve) => setTimeout(resolve, 12_000))
  database.resume()
  const states = () => cluster.rows("select status, error_code from conversions where options like '%50000%'")
  await until(async () => (await states()).length === 1)
  await until(async () => (await states()).every(({ error_code }) => error_code === 'CANCELLED'))
  t.equal(await charged(), before)
})

t.test('what never reached the database is refused at once', async (t) => {
  const before = await charged()
  proxy.setAway(true)
  t.match(await start(), { status: 503 })
  proxy.setAway(false)
  t.equal(await charged(), before)
})

for (const fault of ['drop', 'lose'] as const) {
  t.test(`a node stops, and its connection breaks when a conversion ends (${fault})`, async (t) => {
    const before = await charged()
    const id = await node.start(fileId, 'bust', { sleep: 3000 })
    const row = async () =>
      (await cluster.rows(`select status, error_code, attempts from conversions where id = '${id}'`))[0]!
    await until(async () => (await row()).status === 'processing')
    let broken = 0
    const ended = node.end('SIGTERM')
    proxy.fault = (sql) => (/status = 'completed'|status.*completed/i.test(sql) && broken++ === 0 ? fault : undefined)
    t.equal(await ended, 0)
    t.equal(broken > 0, true, 'the connection broke')
    t.match(await row(), { status: 'completed', error_code: null, attempts: 1 })
    t.equal(await charged(), before + 1, 'charged once')
    node = await node.again()
  })
}
