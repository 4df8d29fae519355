import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import mysql, { type RowDataPacket } from 'mysql2/promise'
import type { Test } from 'tap'
import { serverOf } from '../../kernel/database/server.ts'
import { newFolder, removeFolder } from './folder.ts'
import { leftovers } from './installation.ts'
import { pluginsOf, type Service, startAthanor } from './program.ts'
import { type FaultyProxy, startFaultyProxy } from './servers/faulty-proxy.ts'
import { startMariaDb } from './servers/mariadb.ts'
import { environmentOf, type ObjectStore, startObjectStore } from './servers/object-store.ts'
import { type RedisServer, startRedis } from './servers/redis.ts'
import { until } from './until.ts'

const SECRET = 'a secret that all nodes of the test share'

/** Unless a test says otherwise, nodes start fast and guests have no limits. */
const DEFAULTS = {
  plans: { guest: { pendingJobs: null, heavyConcurrency: null, conversionsPerDay: null, bytesPerDay: null } },
  plugins: pluginsOf('stub'),
  warm: { spares: 0 },
}

/** A service that shares everything with the others but its data folder. */
export interface ClusterNode extends Service {
  /** Its name in the database. */
  id: string
  dataDir: string
  /** Between the node and the S3 server. Clusters with a shared folder have none. */
  proxy: FaultyProxy
  /** Starts it again, with the same port, data folder and configuration. */
  again(): Promise<ClusterNode>
}

/** Servers of a cluster. Those that are not given are started. */
export interface ClusterParts {
  redis?: RedisServer
  /** With a store or `bucket: true`, files are in a bucket, and otherwise in a shared folder. */
  store?: ObjectStore
  bucket?: string | true
  /** Configuration of all nodes. */
  config?: object
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/** Real servers, and services on them. */
export async function startCluster(t: Test, parts: ClusterParts = {}) {
  const folder = await newFolder()
  const share = join(folder, 'share')
  await mkdir(share, { mode: 0o755 })
  const nodes: Service[] = []
  const servers = new AsyncDisposableStack()
  t.teardown(async () => {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
    await servers.disposeAsync()
    await removeFolder(folder)
  })
  // One after the other: if one does not start, those before it are stopped.
  const redis = parts.redis ?? servers.use(await startRedis())
  const database = servers.use(await startMariaDb())
  const url = await database.create('athanor')
  const store = parts.store ?? (parts.bucket ? servers.use(await startObjectStore()) : undefined)
  const bucket = typeof parts.bucket === 'string' ? parts.bucket : `b-${randomUUID()}`
  await store?.send('PUT', `/${bucket}`)
  const env = {
    DATABASE_URL: url,
    REDIS_URL: redis.url,
    JWT_SECRET: SECRET,
    ...(store ? environmentOf(store, bucket) : { STORAGE_URL: `file://${share}` }),
  }
  let started = 0

  /** A new data folder. */
  async function dataDir(): Promise<string> {
    const dataDir = join(folder, `node${++started}`, 'data')
    await mkdir(dataDir, { recursive: true })
    return dataDir
  }

  /** Connects to the database. */
  const connect = () => mysql.createConnection(serverOf(url))

  /** Asks the database. */
  async function rows(sql: string): Promise<RowDataPacket[]> {
    const connection = await connect()
    try {
      return (await connection.query<RowDataPacket[]>(sql))[0]
    } finally {
      await connection.end()
    }
  }

  /** Asks the database for one number. */
  async function count(sql: string): Promise<number> {
    const [row] = await rows(sql)
    return Number(Object.values(row ?? {})[0])
  }

  async function launch(
    dataDir: string,
    config: object,
    more: NodeJS.ProcessEnv,
    proxy?: FaultyProxy,
  ): Promise<ClusterNode> {
    const through = proxy && environmentOf(store!, bucket, proxy.endpoint)
    const service = await startAthanor(dataDir, config, { ...env, ...through, ...more })
    nodes.push(service)
    const [id] = /\bnode_\w+/.exec(service.log())!
    const { port } = new URL(service.base)
    const again = () => launch(dataDir, config, { ...more, PORT: port }, proxy)
    return { ...service, id, dataDir, proxy: proxy!, again }
  }

  /** Starts another node. */
  async function node(config: object = {}, more: NodeJS.ProcessEnv = {}): Promise<ClusterNode> {
    const proxy = store && servers.use(await startFaultyProxy(store.endpoint))
    return launch(await dataDir(), { ...DEFAULTS, ...parts.config, ...config }, more, proxy)
  }

  /** Lists the keys of all objects. */
  const objects = async () => (await store!.list(bucket)).stored

  /** Lists the conversions that a node has claimed and not ended. */
  const claims = ({ id }: ClusterNode) =>
    rows(`select id, attempts from conversions where status = 'processing' and node = '${id}' order by seq`)

  return {
    servers,
    database,
    redis,
    url,
    env,
    bucket,
    dataDir,
    rows,
    count,
    connect,
    node,
    objects,
    claims,
    store: store!,

    /** Reads an object. */
    async read(Key: string): Promise<Buffer> {
      const { Body } = await store!.client.send(new GetObjectCommand({ Bucket: bucket, Key }))
      return Buffer.from(await Body!.transformToByteArray())
    },

    /** Starts a conversion. Asks again while the answer says that a server is slow, as on a busy machine. */
    async start({ call }: Service, fileId: string, options: object): Promise<string> {
      let id: string | undefined
      await until(async () => {
        const { status, json } = await call('POST', '/api/conversions', { fileId, toFormat: 'bust', options })
        id = json.conversionId
        if (status !== 201 && json.error.code !== 'NOT_READY') throw new Error(`start: ${JSON.stringify(json)}`)
        return status === 201
      })
      return id!
    },

    /**
     * Starts conversions that take so many milliseconds until a node runs one. Returns the ids of those that it runs;
     * the others are cancelled. Whoever is free takes a conversion, so a few could all be taken by other nodes.
     */
    async runOn(node: ClusterNode, fileId: string, sleep: number): Promise<string[]> {
      const running = () => rows("select id, node from conversions where status = 'processing'")
      for (let round = 0; round < 20; round++) {
        // One fewer than an owner may run.
        await Promise.all([1, 2, 3].map(() => node.start(fileId, 'bust', { sleep })))
        await until(async () => (await running()).length === 3)
        const { own = [], foreign = [] } = Object.groupBy(await running(), (row) =>
          row.node === node.id ? 'own' : 'foreign',
        )
        await Promise.all(foreign.map(({ id }) => node.call('DELETE', `/api/conversions/${id}`)))
        if (own.length) return own.map(({ id }) => id)
      }
      throw new Error('the node ran nothing')
    },

    /**
     * Waits until all conversions have ended. Then the quota is that of those that completed or ran in vain, only what
     * records name is stored, and the nodes hold nothing else. Returns the records of these conversions.
     */
    async settle(t: Test, nodes: readonly ClusterNode[], ids: Iterable<string>) {
      const pending = "select count(*) from conversions where status in ('queued', 'processing')"
      await until(async () => (await count(pending)) === 0, 240_000)
      const completed = await count("select count(*) from conversions where status = 'completed'")
      // Midnight may have passed.
      const used = await count('select sum(conversions) from quota_use group by subject order by 1 desc limit 1')
      // One that was cancelled is charged if it ran then.
      const ran = await count(
        "select count(*) from conversions where attempts > 0 and error_code in ('CANCELLED', 'TIMEOUT', 'RESOURCE_LIMIT')",
      )
      t.ok(used >= completed && used <= completed + ran, `${used} charged, ${completed} completed, ${ran} ran in vain`)
      const named = await rows(
        'select `key` as name from files union all select output_key from conversions where output_key is not null',
      )
      const expected = named.map(({ name }) => name).sort()
      // What a claim without an outcome has stored is removed after its conversion went on.
      await until(async () => (await objects()).length === expected.length).catch(() => {})
      t.strictSame((await objects()).sort(), expected, 'only what records name is stored')
      t.strictSame((await store!.list(bucket)).uploads, [], 'no upload is incomplete')
      const left = async () => (await Promise.all(nodes.map(({ dataDir }) => leftovers(dataDir)))).flat()
      await until(async () => !(await left()).length).catch(() => {})
      t.strictSame(await left(), [], 'no node has a folder of a conversion left')
      const list = [...ids].map((id) => `'${id}'`).join()
      return rows(
        `select id, status, attempts, fence, error_code from conversions where id in (${list || "''"}) order by seq`,
      )
    },
  }
}
