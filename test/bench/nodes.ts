import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import { serverOf } from '../../kernel/database/server.ts'
import { type Service, startAthanor } from '../services/athanor.ts'
import { startMariaDb } from '../services/mariadb.ts'
import { descendants } from '../services/processes.ts'
import { startRedis } from '../services/redis.ts'
import { createClient } from './client.ts'
import { type Goal, spread } from './report.ts'
import { SECRET } from './service.ts'

/** Share of a processor that each node gets which converts, its engines included. */
const SHARE = 0.25
/** Numbers of such nodes, and rounds of all of them. */
const [SIZES, ROUNDS] = [[1, 2, 4], 2]
/** For each node: owners, of whom each has one conversion at a time, and conversions. */
const [OWNERS, JOBS] = [4, 30]
/** Without the other plugins, whose engines would still be starting in the shares, or not, while this measures. */
const ENV = { JWT_SECRET: SECRET, ATHANOR_ONLY: 'image' }

/** What one round took. */
interface Taken {
  /** Conversions per minute. */
  rate: number
  /** Milliseconds of processor time for each conversion: of all our processes but engines, of the servers. */
  own: number
  redis: number
  mariadb: number
  /** Statements for each conversion. */
  statements: number
}

/**
 * One node that serves clients, and 1, 2 and 4 nodes with a fixed share of a processor each that convert, against a service alone
 * with the same share. Needs root, for the shares.
 */
export async function benchNodes({ folder, goals, picture }: { folder: string; goals: Goal[]; picture: string }) {
  const shares = await openShares()
  if (!shares) return console.log('nodes: not measured, because this user cannot divide the processors')
  await using servers = new AsyncDisposableStack()
  servers.defer(shares.close)
  // The user of the engines must be able to enter it.
  await chmod(folder, 0o711)
  const redis = servers.use(await startRedis())
  const server = servers.use(await startMariaDb())
  const places = { queue: { workers: 3, heavyWorkers: 1 }, log: { level: 'error' } }
  const limits = ['conversionsPerDay', 'bytesPerDay', 'storedBytes', 'pendingJobs', 'heavyConcurrency']
  const config = { ...places, plans: { guest: Object.fromEntries(limits.map((limit) => [limit, null])) }, plugins: {} }
  const data = async (name: string) => {
    const path = join(folder, name, 'data')
    await mkdir(path, { recursive: true })
    // Otherwise each start would look for all engines, with its share of a processor.
    await copyFile(join(folder, 'data', 'probes.json'), join(path, 'probes.json'))
    return path
  }

  const share = await data('share')
  const alone: Taken[] = []
  const together = new Map(SIZES.map((size) => [size, [] as Taken[]]))
  for (let round = 0; round < ROUNDS; round++) {
    const single = await startAthanor(await data(`alone-${round}`), config, ENV, await shares.next())
    alone.push(await measure([single], 1, picture))
    await single.end('SIGTERM')
    for (const size of SIZES) {
      const url = await server.create(`nodes_${round}_${size}`)
      const env = { DATABASE_URL: url, REDIS_URL: redis.url, STORAGE_URL: `file://${share}`, ...ENV }
      const start = async (name: string, role: string, through: readonly string[]) =>
        startAthanor(await data(`${name}-${round}-${size}`), config, { ...env, ROLE: role }, through)
      const nodes: Service[] = []
      const through = await Promise.all(Array.from({ length: size }, shares.next))
      nodes.push(...(await Promise.all(through.map((each, n) => start(`worker${n}`, 'worker', each)))))
      nodes.unshift(await start('api', 'api', []))
      together.get(size)!.push(await measure(nodes, size, picture, url))
      await Promise.all(nodes.map((node) => node.end('SIGTERM')))
    }
  }
  tell(goals, alone, together)
}

function tell(goals: Goal[], alone: readonly Taken[], together: ReadonlyMap<number, readonly Taken[]>): void {
  const one = together.get(1)!
  const base = spread(alone.map(({ own }) => own)).median
  for (const [size, taken] of together) {
    const name = `${size} ${size === 1 ? 'node' : 'nodes'} with ${SHARE} processors each`
    const of = (what: (taken: Taken) => number) => taken.map(what)
    const bare = size === 1 ? alone : one
    goals.push({
      name: `${name}, conversions of each, against ${size === 1 ? 'a service alone' : 'one node'}`,
      ...{ unit: 'jobs/min', ours: of(({ rate }) => rate / size), bare: bare.map(({ rate }) => rate), atLeast: 0.9 },
    })
    goals.push({
      name: `${name}, processor time of a conversion for the queue (ours without engines, and Redis; less a service alone)`,
      ...{ unit: 'ms', ours: of(({ own, redis }) => own + redis - base), atMost: 5 },
    })
    goals.push({ name: `${name}, of it Redis`, unit: 'ms', ours: of(({ redis }) => redis) })
    goals.push({
      name: `${name}, processor time of the database`,
      unit: 'ms',
      ours: of(({ mariadb }) => mariadb),
      atMost: 3,
    })
    goals.push({ name: `${name}, statements of a conversion`, unit: '', ours: of(({ statements }) => statements) })
  }
}

/** @param nodes The first one serves clients. @param url Of the database; undefined: SQLite. */
async function measure(nodes: readonly Service[], size: number, picture: string, url?: string): Promise<Taken> {
  const client = createClient(nodes[0]!.base)
  const owners = await Promise.all(
    Array.from({ length: OWNERS * size }, async () => {
      const owner = client.guest()
      return { owner, fileId: (await owner.upload(picture)).file.fileId as string }
    }),
  )
  /** Each owner asks for the next conversion when its last one has ended. */
  const run = async (jobs: number) => {
    let next = 0
    const each = async ({ owner, fileId }: (typeof owners)[number]) => {
      while (next++ < jobs) await owner.convert(fileId, 'jpg')
    }
    await Promise.all(owners.map(each))
  }
  await run(OWNERS * size * 2)
  const jobs = JOBS * size
  const before = await spent(nodes, url)
  const began = performance.now()
  await run(jobs)
  const rate = (jobs * 60_000) / (performance.now() - began)
  const after = await spent(nodes, url)
  client.close()
  const each = (key: keyof typeof before) => (after[key] - before[key]) / jobs
  return { rate, own: each('own'), redis: each('redis'), mariadb: each('mariadb'), statements: each('statements') }
}

/** What the processes have taken so far. */
async function spent(nodes: readonly Service[], url: string | undefined) {
  const servers = await Promise.all(descendants(process.pid).map(async (pid) => ({ pid, name: await nameOf(pid) })))
  const sum = async (pids: readonly number[]) =>
    (await Promise.all(pids.map(processorTime))).reduce((total, each) => total + each, 0)
  const named = (name: string) => sum(servers.filter((each) => each.name === name).map(({ pid }) => pid))
  return {
    own: await sum(nodes.map(({ pid }) => pid)),
    // Both names are one binary.
    redis: await named('redis-check-rdb'),
    mariadb: await named('mariadbd'),
    statements: url ? await statements(url) : 0,
  }
}

const nameOf = (pid: number) =>
  readFile(`/proc/${pid}/comm`, 'utf8').then(
    (text) => text.trim(),
    () => '',
  )

/** Milliseconds of a process without its children, from proc(5), stat. A tick is 10 ms. */
async function processorTime(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function statements(url: string): Promise<number> {
  const connection = await mysql.createConnection(serverOf(url))
  try {
    const [rows] = await connection.query<mysql.RowDataPacket[]>("show global status like 'Questions'")
    return Number(rows[0]!.Value)
  } finally {
    await connection.end()
  }
}

/** Makes groups of processes with a share of a processor each, by cgroups(7) of either version. Undefined: not allowed. */
async function openShares() {
  const first = existsSync('/sys/fs/cgroup/cpu/cpu.cfs_quota_us')
  const parent = first ? '/sys/fs/cgroup/cpu' : '/sys/fs/cgroup'
  const made: string[] = []
  let count = 0
  const add = async () => {
    const group = join(parent, `athanor-bench-${process.pid}-${count++}`)
    await mkdir(group)
    made.push(group)
    const period = 100_000
    const quota = Math.round(period * SHARE)
    await writeFile(join(group, first ? 'cpu.cfs_quota_us' : 'cpu.max'), first ? `${quota}` : `${quota} ${period}`)
    return group
  }
  const close = async () => {
    for (const group of made) await rmdir(group).catch(() => {})
  }
  try {
    await add()
  } catch {
    await close()
    return undefined
  }
  return {
    /** A command that runs the command after it in another group. */
    next: async () => ['sh', '-c', 'echo $$ > "$0" && exec "$@"', join(await add(), 'cgroup.procs')],
    close,
  }
}
