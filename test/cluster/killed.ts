import type { Test } from 'tap'
import type { Cluster, ClusterNode } from '../harness/nodes.ts'
import { until } from '../harness/until.ts'

/**
 * Kills a node in the middle of conversions, and when it has stored a result that it has not recorded. Another one
 * survives. Puts the new nodes into the list.
 */
export async function killed(t: Test, cluster: Cluster, nodes: ClusterNode[]): Promise<void> {
  const survivor = nodes[2]!
  const { fileId } = await survivor.upload('STUB\nkilled', 'a.stub')
  /** Whether one of these conversions has stored its result. */
  async function hasStored(ids: readonly string[]): Promise<boolean> {
    const keys = await cluster.objects()
    return ids.some((id) => keys.some((key) => key.includes(id.replace('conv_', ''))))
  }

  for (const [at, stored] of [false, true].entries()) {
    const victim = nodes[at]!
    if (stored) victim.proxy.fault = holdResults
    const started: string[] = []
    const claimed = async () => (await cluster.claims(victim)).map(({ id }) => id)
    await until(async () => {
      const ids = await claimed()
      if (ids.length && (!stored || (await hasStored(ids)))) return true
      const busy = await cluster.count("select count(*) from conversions where status in ('queued', 'processing')")
      for (let n = busy; n < 6; n++) started.push(await cluster.start(survivor, fileId, { sleep: 1000 }))
      return false
    })
    process.kill(victim.pid, 'SIGSTOP')
    const lost = new Set(await claimed())
    await victim.end('SIGKILL')
    victim.proxy.fault = () => undefined
    nodes[at] = await victim.again()
    // A claim may still have been on its way to the database.
    for (const id of await claimed()) lost.add(id)
    const rows = await cluster.settle(t, nodes, started)
    const wrong = rows.filter(({ id, status, attempts, fence }) => {
      const runs = lost.has(id) ? 2 : 1
      return status !== 'completed' || attempts !== runs || fence !== runs
    })
    t.strictSame(wrong, [], 'what was lost was finished elsewhere, once, and nothing else was done again')
    for (const id of lost) {
      const { outputUrl } = await survivor.finish(id)
      t.equal(await (await fetch(outputUrl)).text(), 'BUST\nkilled', 'its result is there')
    }
  }
  const logs = nodes.map((node) => node.log()).join('')
  t.match(logs, /"nodes":\[\{"id":"node_\w+","host":"[^"]+"\}\].*"conversions taken back/, 'the log names lost nodes')
}

/** Stores results of first claims, and never answers. */
const holdResults: ClusterNode['proxy']['fault'] = ({ method, url }) =>
  method === 'PUT' && /\/outputs\//.test(url!) && !/-\d+\//.test(url!) ? { stall: 0 } : undefined
