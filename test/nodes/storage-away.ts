import type { IncomingMessage } from 'node:http'
import type { Test } from 'tap'
import type { Cluster, ClusterNode } from '../harness/nodes.ts'
import type { Fault } from '../harness/servers/faulty-proxy.ts'

const SOURCES = /^GET .*\/uploads\//
const RESULTS = /^PUT .*\/outputs\//

/** Breaks requests to the S3 server, while nodes convert. */
export async function storageAway(t: Test, cluster: Cluster, nodes: readonly ClusterNode[]): Promise<void> {
  const [one] = nodes as [ClusterNode]
  const { fileId } = await one.upload(`STUB\n${'broken '.repeat(10_000)}`, 'a.stub')

  /** Breaks the first `times` requests for each object that match. */
  function breakAll(pattern: RegExp, fault: Fault, times = Number.POSITIVE_INFINITY): void {
    for (const { proxy } of nodes) {
      const seen = new Map<string, number>()
      proxy.fault = ({ method, url }: IncomingMessage) => {
        const path = url!.replace(/\?.*/, '')
        if (!pattern.test(`${method} ${path}`)) return undefined
        seen.set(path, (seen.get(path) ?? 0) + 1)
        return seen.get(path)! <= times ? fault : undefined
      }
    }
  }

  /** Converts several times, on any nodes. Returns the records. */
  async function convert() {
    const ids = await Promise.all(nodes.map(() => cluster.start(one, fileId, { sleep: 300 })))
    const conversions = await Promise.all(ids.map((id) => one.finish(id)))
    for (const { proxy } of nodes) proxy.fault = () => undefined
    return { conversions, rows: await cluster.settle(t, nodes, ids) }
  }

  t.teardown(() => {
    for (const { proxy } of nodes) proxy.fault = () => undefined
  })

  const once: [string, RegExp, Fault][] = [
    ['a source that is cut', SOURCES, { cut: 1000 }],
    ['a refusal to store the result', RESULTS, { status: 503 }],
    ['the lost answer to a stored result', RESULTS, 'lose'],
  ]
  for (const [name, pattern, fault] of once) {
    await t.test(`${name} is tried again`, async (t) => {
      breakAll(pattern, fault, 1)
      const { rows } = await convert()
      for (const row of rows) t.match(row, { status: 'completed', attempts: 1, fence: 1 })
    })
  }

  const always: [string, RegExp, Fault][] = [
    ['a source that is always cut before its first byte', SOURCES, { cut: 0 }],
    ['a server that stores no result', RESULTS, { status: 503 }],
    ['a server that stores results and never says so', RESULTS, 'lose'],
  ]
  for (const [name, pattern, fault] of always) {
    await t.test(`${name} lets conversions fail, and nothing is left behind`, async (t) => {
      breakAll(pattern, fault)
      const { conversions } = await convert()
      for (const { status, error } of conversions) {
        t.match({ status, error }, { status: 'failed', error: { code: 'INTERNAL_SERVER_ERROR', message: /storage/ } })
      }
    })
  }
}
