/** MariaDB hangs, or does what it is asked while a node stops and its answer is lost. */
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

t.test('the database hangs: the client gets 503, and a transaction that was not committed is undone', async (t) => {
  const before = await charged()
  const { database } = cluster
  // The statement has reached the server, which reads it only when it goes on.
  let hangs = false
  proxy.fault = (sql) => {
    if (!hangs && /insert into `conversions`/i.test(sql)) {
      hangs = true
      database.pause()
    }
    return undefined
  }
  const body = { fileId, toFormat: 'bust', options: { sleep: 50_000 } }
  const { status } = await node.call('POST', '/api/conversions', body)
  t.match({ status, hangs }, { status: 503, hangs: true })
  database.resume()
  t.equal(await charged(), before)
  t.strictSame(await cluster.rows("select id from conversions where options like '%50000%'"), [])
})

for (const fault of ['drop', 'lose'] as const) {
  t.test(`a node stops, and its connection breaks when a conversion ends (${fault})`, async (t) => {
    const before = await charged()
    const id = await node.start(fileId, 'bust', { sleep: 3000 })
    const row = async () =>
      (await cluster.rows(`select status, error_code, attempts from conversions where id = '${id}'`))[0]!
    await until(async () => (await row()).status === 'processing')
    const ended = node.end('SIGTERM')
    let ends = false
    let broken = 0
    proxy.fault = (sql) => {
      ends ||= /update `conversions`.*completed/i.test(sql)
      return ends && /^commit/i.test(sql) && broken++ === 0 ? fault : undefined
    }
    t.equal(await ended, 0)
    t.ok(broken > 0, 'the connection broke')
    t.match(await row(), { status: 'completed', error_code: null, attempts: 1 })
    t.equal(await charged(), before + 1, 'charged once')
    node = await node.again()
  })
}
