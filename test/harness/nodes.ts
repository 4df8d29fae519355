import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import mysql, { type RowDataPacket } from 'mysql2/promise'
import type { Test } from 'tap'
import { serverOf } from '../../kernel/database/server.ts'
import { newFolder, removeFolder } from './folder.ts'
import { type Service, startAthanor } from './program.ts'
import { startMariaDb } from './servers/mariadb.ts'
import { startRedis } from './servers/redis.ts'

const SECRET = 'a secret that all nodes of the test share'

/** A service that shares everything with the others but its data folder. */
export interface ClusterNode extends Service {
  /** Its name in the database. */
  id: string
  dataDir: string
  /** Starts it again, with the same port, data folder and configuration. */
  again(): Promise<ClusterNode>
}

/** Real servers, and services on them. */
export async function startCluster(t: Test) {
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
  const redis = servers.use(await startRedis())
  const database = servers.use(await startMariaDb())
  const url = await database.create('cluster')
  const env = { DATABASE_URL: url, REDIS_URL: redis.url, STORAGE_URL: `file://${share}`, JWT_SECRET: SECRET }
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

  async function launch(dataDir: string, config: object, more: NodeJS.ProcessEnv): Promise<ClusterNode> {
    const guest = { pendingJobs: null, heavyConcurrency: null, conversionsPerDay: null, bytesPerDay: null }
    const service = await startAthanor(dataDir, { plans: { guest }, ...config }, { ...env, ...more })
    nodes.push(service)
    const [id] = /\bnode_\w+/.exec(service.log())!
    const { port } = new URL(service.base)
    return { ...service, id, dataDir, again: () => launch(dataDir, config, { ...more, PORT: port }) }
  }

  return {
    database,
    redis,
    ...{ servers, env, dataDir, rows, connect },
    /** Starts another node. */
    node: async (config: object = {}, more: NodeJS.ProcessEnv = {}) => launch(await dataDir(), config, more),
    /** Asks the database for one number. */
    async count(sql: string): Promise<number> {
      const [row] = await rows(sql)
      return Number(Object.values(row ?? {})[0])
    },
  }
}
