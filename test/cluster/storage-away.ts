import type { IncomingMessage } from 'node:http'
import type { Test } from 'tap'
import type { Cluster, ClusterNode } from '../harness/nodes.ts'
import type { Fault } from '../harness/servers/faulty-proxy.ts'

const SOURCES = /^GET .*\/uploads\//
const RESULTS = /^PUT .*\/outputs\//

/**
 * Breaks all requests to the S3 server, while nodes convert. If one is broken, it is tried again:
 * ../storage/s3.test.ts.
 */
export async function storageAway(t: Test, cluster: Cluster, nodes: readonly ClusterNode[]): Promise<void> {
  const [one] = nodes as [ClusterNode]
  const { fileId } = await one.upload(`STUB\n${'broken '.repeat(10_000)}`, 'a.stub')

  /** Breaks the requests that match. */
  function breakAll(pattern: RegExp, fault: Fault): void {
    for (const { proxy } of nodes)
      proxy.fault = ({ method, url }: IncomingMessage) =>
        pattern.test(`${method} ${url!.replace(/\?.*/, '')}`) ? fault : undefined
  }

  /** Converts several times, on any nodes. Returns the records. */
  async function convert() {
    const ids = await Promise.all(nodes.map(() => cluster.start(one, fileId, { sleep: 300 })))
    const conversions = await Promise.all(ids.map((id) => one.finish(id)))
    for (const { proxy } of nodes) proxy.fault = () => undefined
    await cluster.settle(t, nodes, ids)
    return conversions
  }

  t.teardown(() => {
    for (const { proxy } of nodes) proxy.fault = () => undefined
  })

  const always: [string, RegExp, Fault][] = [
    ['a source that is always cut before its first byte', SOURCES, { cut: 0 }],
    ['a server that stores no result', RESULTS, { status: 503 }],
    ['a server that stores results and never says so', RESULTS, 'lose'],
  ]
  for (const [name, pattern, fault] of always) {
    await t.test(`${name} lets conversions fail, and nothing is left behind`, async (t) => {
      breakAll(pattern, fault)
      for (const { status, error } of await convert()) {
        t.match({ status, error }, { status: 'failed', error: { code: 'INTERNAL_SERVER_ERROR', message: /storage/ } })
      }
    })
  }
}
