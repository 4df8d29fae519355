import t from 'tap'
import { startCluster } from '../harness/nodes.ts'
import { startFaultyDatabase } from '../harness/servers/faulty-database.ts'
import { until } from '../harness/until.ts'

const completes = /status = 'completed'|status.*completed/i

for (const fault of ['drop', 'lose'] as const)
  t.test(
    `a node stops, and its connection breaks when a conversion ends (${fault})`,
    { timeout: 600_000 },
    async (t) => {
      const cluster = await startCluster(t)
      const proxy = cluster.servers.use(await startFaultyDatabase(cluster.env.DATABASE_URL))
      const node = await cluster.node({ queue: { workers: 5, heavyWorkers: 1 } }, { DATABASE_URL: proxy.url })
      const { fileId } = await node.upload('STUB\ntext', 'a.stub')
      const id = await node.start(fileId, 'bust', { sleep: 3000 })
      const row = async () =>
        (await cluster.rows(`select status, error_code, attempts from conversions where id = '${id}'`))[0]!
      await until(async () => (await row()).status === 'processing')
      let broken = 0
      const ended = node.end('SIGTERM')
      proxy.fault = (sql) => (completes.test(sql) && broken++ === 0 ? fault : undefined)
      t.equal(await ended, 0)
      t.equal(broken > 0, true, 'the connection broke')
      t.match(await row(), { status: 'completed', error_code: null, attempts: 1 })
      t.equal(await cluster.count('select coalesce(max(conversions), 0) from quota_use'), 1, 'charged once')
    },
  )
