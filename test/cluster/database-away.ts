import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { LEASE } from '../../kernel/database/tables/nodes.ts'
import type { Cluster, ClusterNode } from '../harness/nodes.ts'
import { stubEngines } from '../harness/processes.ts'
import { until } from '../harness/until.ts'

/** Restarts MariaDB, and then lets it hang for longer than a lease, while nodes convert. */
export async function databaseAway(t: Test, cluster: Cluster, nodes: readonly ClusterNode[]): Promise<void> {
  const [one] = nodes as [ClusterNode]
  const { fileId } = await one.upload('STUB\naway', 'a.stub')
  const start = (sleep: number) => cluster.start(one, fileId, { sleep })
  const working = () => nodes.filter(({ pid }) => stubEngines(pid).length).length

  /** Starts conversions of these durations until several nodes run them at the same time. */
  async function spread(sleeps: readonly number[]): Promise<string[]> {
    for (let round = 0; round < 20; round++) {
      const ids = await Promise.all(sleeps.map(start))
      await until(async () => (await cluster.count("select count(*) from conversions where status = 'queued'")) === 0)
      const claims = await Promise.all(nodes.map(cluster.claims))
      if (claims.flat().length === ids.length && claims.filter(({ length }) => length).length > 1) return ids
      await Promise.all(ids.map((id) => one.call('DELETE', `/api/conversions/${id}`)))
    }
    throw new Error('one node ran everything')
  }

  await t.test('it restarts: what ends meanwhile is recorded afterwards', async (t) => {
    const ids = await spread([4000, 4000, 4000, 4000])
    const waiting = await Promise.all([start(200), start(200)])
    await cluster.database.stop()
    await until(async () => !working())
    await cluster.database.start()
    const rows = await cluster.settle(t, nodes, [...ids, ...waiting])
    const wrong = rows.filter(({ status, attempts }) => status !== 'completed' || attempts !== 1)
    t.strictSame(wrong, [])
    const again = rows.filter(({ id, fence }) => ids.includes(id) && fence !== 1)
    t.strictSame(again, [], 'what ran was not claimed again')
  })

  await t.test('it hangs for longer than a lease', async (t) => {
    const ids = await spread([4000, 4000, 12_500, 12_500])
    await until(async () => working() > 1)
    cluster.database.pause()
    try {
      await delay(LEASE + 1000)
      // Without a lease, no engine works.
      await until(async () => !working())
    } finally {
      cluster.database.resume()
    }
    const rows = await cluster.settle(t, nodes, ids)
    const wrong = rows.filter(({ status, attempts }) => status !== 'completed' || attempts !== 1)
    t.strictSame(wrong, [], 'all are completed; that the database hung was no attempt')
  })
}
