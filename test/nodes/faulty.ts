import { join } from 'node:path'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import type { Test } from 'tap'
import { leftovers } from '../harness/installation.ts'
import { type ClusterNode, startCluster } from '../harness/nodes.ts'
import { type FaultyProxy, startFaultyProxy } from '../harness/servers/faulty-proxy.ts'
import { environmentOf, startObjectStore } from '../harness/servers/object-store.ts'
import { until } from '../harness/until.ts'

/** A node that reaches the S3 server through a proxy of its own. */
export interface FaultyNode extends ClusterNode {
  proxy: FaultyProxy
  again(): Promise<FaultyNode>
}

/** What the tests of faults share. */
export type FaultyCluster = Awaited<ReturnType<typeof startFaultyCluster>>

const others = ['image', 'document', 'video', 'audio', 'archive', 'vector', 'cad', 'ebook']
const config = {
  plugins: {
    [join(import.meta.dirname, '../stub-plugin')]: true,
    ...Object.fromEntries(others.map((name) => [name, false])),
  },
  queue: { workers: 7, heavyWorkers: 1 },
  warm: { spares: 0 },
  // Each conversion fetches its source.
  storage: { cacheSize: 0 },
  shutdown: { grace: '1s' },
}

/** MariaDB, Redis and an S3 server, and a way to start nodes on them. */
export async function startFaultyCluster(t: Test) {
  const cluster = await startCluster(t)
  const { servers, rows, count, database, connect } = cluster
  const store = servers.use(await startObjectStore())
  const bucket = 'cluster'
  await store.send('PUT', `/${bucket}`)

  const through = (node: ClusterNode, proxy: FaultyProxy): FaultyNode => ({
    ...node,
    proxy,
    again: async () => through(await node.again(), proxy),
  })

  /** Lists the keys of all objects. */
  const objects = async () => (await store.list(bucket)).stored

  return {
    ...{ rows, count, database, connect, objects },

    /** Reads an object. */
    async read(Key: string): Promise<Buffer> {
      const { Body } = await store.client.send(new GetObjectCommand({ Bucket: bucket, Key }))
      return Buffer.from(await Body!.transformToByteArray())
    },

    /** Starts a node. @param more Changes of its environment. */
    async node(more: NodeJS.ProcessEnv = {}): Promise<FaultyNode> {
      const proxy = servers.use(await startFaultyProxy(store.endpoint))
      const env = environmentOf(store, bucket, proxy.endpoint)
      return through(await cluster.node(config, { ...env, ...more }), proxy)
    },

    /** Starts a conversion. Asks again while the answer says that a server is slow, as on a busy machine. */
    async start({ call }: ClusterNode, fileId: string, options: object): Promise<string> {
      let id: string | undefined
      await until(async () => {
        const { status, json } = await call('POST', '/api/conversions', { fileId, toFormat: 'bust', options })
        id = json.conversionId
        if (status !== 201 && json.error.code !== 'NOT_READY') throw new Error(`start: ${JSON.stringify(json)}`)
        return status === 201
      })
      return id!
    },

    /** Lists the conversions that a node has claimed and not ended. */
    claims: ({ id }: ClusterNode) =>
      rows(`select id, attempts from conversions where status = 'processing' and node = '${id}' order by seq`),

    /**
     * Waits until all conversions have ended. Then the quota is that of those that completed, only what records name is
     * stored, and the nodes hold nothing else. Returns the records of these conversions.
     */
    async settle(t: Test, nodes: readonly ClusterNode[], ids: Iterable<string>) {
      const pending = "select count(*) from conversions where status in ('queued', 'processing')"
      await until(async () => (await count(pending)) === 0, 240_000)
      const completed = await count("select count(*) from conversions where status = 'completed'")
      // Midnight may have passed.
      const used = await count('select sum(conversions) from quota_use group by subject order by 1 desc limit 1')
      t.equal(used, completed, 'completed conversions are charged, others not')
      const named = await rows(
        'select `key` as name from files union all select output_key from conversions where output_key is not null',
      )
      const expected = named.map(({ name }) => name).sort()
      // What a claim without an outcome has stored is removed after its conversion went on.
      await until(async () => (await objects()).length === expected.length).catch(() => {})
      t.strictSame((await objects()).sort(), expected, 'only what records name is stored')
      t.strictSame((await store.list(bucket)).uploads, [], 'no upload is incomplete')
      const left = async () => (await Promise.all(nodes.map(({ dataDir }) => leftovers(dataDir)))).flat()
      await until(async () => !(await left()).length).catch(() => {})
      t.strictSame(await left(), [], 'no node has a folder of a conversion left')
      const list = [...ids].map((id) => `'${id}'`).join()
      return rows(`select id, status, attempts, fence, error_code from conversions where id in (${list}) order by seq`)
    },
  }
}
