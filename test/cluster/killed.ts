import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import type { Cluster, ClusterNode } from '../harness/nodes.ts'
import { until } from '../harness/until.ts'

const KILLS = 8

/** Conversions that wait or run, without those of killed nodes. */
const LOAD = 6

/** Kills the first two nodes in turn, while they convert. The third one survives. Puts the new nodes into the list. */
export async function killed(t: Test, cluster: Cluster, nodes: ClusterNode[]): Promise<void> {
  const survivor = nodes[2]!
  const { fileId } = await survivor.upload('STUB\nkilled', 'a.stub')
  const started: string[] = []
  const losses = new Map<string, number>()
  const end = new AbortController()

  async function keepBusy(): Promise<void> {
    while (!end.signal.aborted) {
      const living = nodes.map(({ id }) => `'${id}'`).join()
      const busy = await cluster.count(
        `select count(*) from conversions where status = 'queued' and attempts = 0
         or status = 'processing' and node in (${living})`,
      )
      for (let n = busy; n < LOAD; n++) started.push(await cluster.start(survivor, fileId, { sleep: 1000 }))
      await delay(100)
    }
  }

  /** Whether one of these conversions has stored its result. */
  async function hasStored(ids: readonly string[]): Promise<boolean> {
    const keys = await cluster.objects()
    return ids.some((id) => keys.some((key) => key.includes(id.replace('conv_', ''))))
  }

  /** Kills a node and starts it again. @param late After it has stored a result, and before it records that. */
  async function kill(at: number, late: boolean): Promise<void> {
    const victim = nodes[at]!
    if (late) victim.proxy.fault = holdFirstResult()
    const ready = async () => {
      const claims = await cluster.claims(victim)
      // What is lost twice fails.
      if (!claims.length || claims.some(({ attempts }) => attempts > 1)) return false
      return !late || (await hasStored(claims.map(({ id }) => id)))
    }
    for (let stopped = false; !stopped; ) {
      await until(ready)
      process.kill(victim.pid, 'SIGSTOP')
      // Between the look and the stop, it can have claimed a conversion.
      stopped = await ready()
      if (!stopped) process.kill(victim.pid, 'SIGCONT')
    }
    await victim.end('SIGKILL')
    victim.proxy.fault = () => undefined
    const lost = new Set((await cluster.claims(victim)).map(({ id }) => id))
    nodes[at] = await victim.again()
    // A claim may still have been on its way to the database.
    for (const { id } of await cluster.claims(victim)) lost.add(id)
    for (const id of lost) losses.set(id, (losses.get(id) ?? 0) + 1)
  }

  const busy = keepBusy()
  // Its failure is told below.
  busy.catch(() => {})
  try {
    // Twice in each way, so that it happens to each of the two.
    for (let n = 0; n < KILLS; n++) await kill(n % 2, n % 4 > 1)
  } finally {
    end.abort()
    await busy
  }
  const rows = await cluster.settle(t, nodes, started)
  const logs = nodes.map((node) => node.log()).join('')
  t.match(logs, /"nodes":\[\{"id":"node_\w+","host":"[^"]+"\}\].*"conversions taken back/, 'the log names lost nodes')
  t.ok(losses.size >= KILLS / 2, `${losses.size} of ${started.length} conversions were lost by ${KILLS} kills`)
  const wrong = rows.filter(({ id, status, attempts, fence }) => {
    const lost = losses.get(id) ?? 0
    const runs = Math.min(lost + 1, 2)
    return status !== (lost > 1 ? 'failed' : 'completed') || attempts !== runs || fence !== runs
  })
  t.strictSame(wrong, [], 'what was lost was finished elsewhere, once, and nothing else was done again')
  for (const { id } of rows.filter(({ fence, status }) => fence > 1 && status === 'completed')) {
    const { outputUrl } = await survivor.finish(id)
    t.equal(await (await fetch(outputUrl)).text(), 'BUST\nkilled', 'its result is there')
  }
}

/** Stores the first result of a first claim, and never answers. */
function holdFirstResult(): ClusterNode['proxy']['fault'] {
  let held: string | undefined
  return ({ method, url }) => {
    if (method !== 'PUT' || !/\/outputs\//.test(url!) || /-\d+\//.test(url!)) return undefined
    held ??= url
    return url === held ? { stall: 0 } : undefined
  }
}
