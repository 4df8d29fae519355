import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql, { type RowDataPacket } from 'mysql2/promise'
import type { Test } from 'tap'
import { serverOf } from '../../kernel/database/server.ts'
import { startAthanor } from '../services/athanor.ts'
import { startMariaDb } from '../services/mariadb.ts'
import { startRedis } from '../services/redis.ts'

const SECRET = 'a secret that all nodes of the test share'

/** Real servers, and services on them that share everything but their data folders. */
export async function startCluster(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'athanor-cluster-'))
  await chmod(folder, 0o711)
  const share = join(folder, 'share')
  await mkdir(share, { mode: 0o755 })
  const nodes: Awaited<ReturnType<typeof startAthanor>>[] = []
  const servers = new AsyncDisposableStack()
  t.teardown(async () => {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
    await servers.disposeAsync()
    await rm(folder, { recursive: true, force: true })
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

  /** Asks the database. */
  async function rows(sql: string): Promise<RowDataPacket[]> {
    const connection = await mysql.createConnection(serverOf(url))
    try {
      return (await connection.query<RowDataPacket[]>(sql))[0]
    } finally {
      await connection.end()
    }
  }

  return {
    database,
    redis,
    ...{ env, dataDir, rows },
    /** Starts another node. */
    async node(config: object = {}, more: NodeJS.ProcessEnv = {}) {
      const guest = { pendingJobs: null, heavyConcurrency: null, conversionsPerDay: null, bytesPerDay: null }
      const node = await startAthanor(await dataDir(), { plans: { guest }, ...config }, { ...env, ...more })
      nodes.push(node)
      return node
    },
    /** Asks the database for one number. */
    async count(sql: string): Promise<number> {
      const [row] = await rows(sql)
      return Number(Object.values(row ?? {})[0])
    },
  }
}

/** Waits until `look` resolves to true. @param most Milliseconds. */
export async function until(look: () => Promise<boolean>, most = 30_000): Promise<void> {
  const end = performance.now() + most
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`not so within ${most} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
