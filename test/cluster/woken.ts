import type { Test } from 'tap'
import type { Cluster, ClusterNode } from '../harness/nodes.ts'
import { until } from '../harness/until.ts'

/** Stops a node between storing a result and recording it, for longer than its lease. The others go on. */
export async function woken(t: Test, cluster: Cluster, nodes: readonly ClusterNode[]): Promise<void> {
  const [other] = nodes as [ClusterNode]
  const { fileId } = await other.upload('STUB\nwoken', 'a.stub')
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  for (const { proxy } of nodes)
    proxy.fault = ({ method, url }) => (method === 'PUT' && /\/outputs\//.test(url!) ? { until: answered } : undefined)
  const id = await cluster.start(other, fileId, {})
  const outputs = async () => (await cluster.objects()).filter((key) => key.includes(id.replace('conv_', '')))
  await until(async () => (await outputs()).length === 1)
  const [orphan] = await outputs()
  const claims = await Promise.all(nodes.map(cluster.claims))
  const one = nodes[claims.findIndex(({ length }) => length)]!
  const living = nodes.find((node) => node !== one)!
  for (const { proxy } of nodes) proxy.fault = () => undefined
  process.kill(one.pid, 'SIGSTOP')
  const record = async () =>
    (await cluster.rows(`select status, fence, output_key, completed_at from conversions where id = '${id}'`))[0]!
  try {
    // It waits for the node like a message that is under way.
    answer()
    t.match(await living.finish(id), { status: 'completed' })
  } finally {
    process.kill(one.pid, 'SIGCONT')
  }
  const before = await record()
  t.match(before, { status: 'completed', fence: 2 })
  t.not(before.output_key, orphan)
  await until(async () => /lease of this node (ends|had ended)/.test(one.log()))
  await until(async () => !(await outputs()).includes(orphan!))
  await cluster.settle(t, nodes, [id])
  t.strictSame(await record(), before, 'its end is recorded once')
  t.strictSame(await outputs(), [before.output_key])
  for (const node of [one, living])
    t.equal(await (await fetch((await node.finish(id)).outputUrl)).text(), 'BUST\nwoken')
}
