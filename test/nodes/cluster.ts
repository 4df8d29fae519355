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
  const [database, redis] = await Promise.all([startMariaDb(), startRedis()])
  const url = await database.create('cluster')
  const env = { DATABASE_URL: url, REDIS_URL: redis.url, STORAGE_URL: `file://${share}`, JWT_SECRET: SECRET }
  const nodes: Awaited<ReturnType<typeof startAthanor>>[] = []
  t.teardown(async () => {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
    await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
    await rm(folder, { recursive: true, force: true })
  })
  let started = 0
  return {
    database,
    redis,
    env,
    /** Starts another node. */
    async node(config: object = {}, more: NodeJS.ProcessEnv = {}) {
      const dataDir = join(folder, `node${++started}`, 'data')
      await mkdir(dataDir, { recursive: true })
      const guest = { pendingJobs: null, heavyConcurrency: null, conversionsPerDay: null, bytesPerDay: null }
      const node = await startAthanor(dataDir, { plans: { guest }, ...config }, { ...env, ...more })
      nodes.push(node)
      return node
    },
    /** A new data folder. */
    async dataDir() {
      const dataDir = join(folder, `node${++started}`, 'data')
      await mkdir(dataDir, { recursive: true })
      return dataDir
    },
    /** Asks the database. */
    async rows(sql: string): Promise<RowDataPacket[]> {
      const connection = await mysql.createConnection(serverOf(url))
      try {
        return (await connection.query<RowDataPacket[]>(sql))[0]
      } finally {
        await connection.end()
      }
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
