import { chmod, copyFile, mkdir } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import { serverOf } from '../kernel/database/server.ts'
import { type Service, startAthanor } from '../test/harness/program.ts'
import { startMariaDb } from '../test/harness/servers/mariadb.ts'
import { startRedis } from '../test/harness/servers/redis.ts'
import { createClient } from './client.ts'
import { processorTime, processorTimeOf } from './processor-time.ts'
import { type Goal, spread } from './report.ts'
import { SECRET } from './service.ts'
import { openShares, type Share } from './shares.ts'

/** Share of a processor that each node gets which converts, its engines included. */
const SHARE = 0.25
/** A smaller one, with which the machine has more left than all of them together take. */
const SMALL = 0.15
/** For each node: owners, of whom each has one conversion at a time, and conversions. */
const OWNERS = 4
const JOBS = 60
/**
 * Numbers of such nodes with their shares, and owners. An idle engine serves only the owner that it has served, and
 * each node meets the owners of all: one node also runs with the owners of four.
 */
const CASES = [
  ...[1, 2, 4].map((size) => ({ size, share: SHARE, owners: OWNERS * size })),
  { size: 1, share: SHARE, owners: OWNERS * 4 },
  ...[1, 4].map((size) => ({ size, share: SMALL, owners: OWNERS * size })),
]
const ROUNDS = 2
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
  /** The same for the nodes that convert, with their engines. */
  converting: number
  /** How much of its share each of them took. */
  got: number
  /** Processors that were busy with us, client included, and with everything on the machine. */
  ours: number
  busy: number
}

/**
 * One node that serves clients, and 1, 2 and 4 nodes with a fixed share of a processor each that convert, against a
 * service alone with the same share. Needs root, for the shares.
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
  const together: Together = new Map(CASES.map((each) => [each, []]))
  for (let round = 0; round < ROUNDS; round++) {
    const own = await shares.next(SHARE)
    const single = await startAthanor(await data(`alone-${round}`), config, ENV, own.through)
    alone.push(await measure([single], [own], { share: SHARE, owners: OWNERS }, picture))
    await single.end('SIGTERM')
    for (const [at, each] of CASES.entries()) {
      const url = await server.create(`nodes_${round}_${at}`)
      const env = { DATABASE_URL: url, REDIS_URL: redis.url, STORAGE_URL: `file://${share}`, ...ENV }
      const start = async (name: string, role: string, through: readonly string[]) =>
        startAthanor(await data(`${name}-${round}-${at}`), config, { ...env, ROLE: role }, through)
      const own = await Promise.all(Array.from({ length: each.size }, () => shares.next(each.share)))
      const nodes = await Promise.all(own.map(({ through }, n) => start(`worker${n}`, 'worker', through)))
      nodes.unshift(await start('api', 'api', []))
      together.get(each)!.push(await measure(nodes, own, each, picture, url))
      await Promise.all(nodes.map((node) => node.end('SIGTERM')))
    }
  }
  tell(goals, alone, together)
}

type Together = ReadonlyMap<(typeof CASES)[number], Taken[]>

function tell(goals: Goal[], alone: readonly Taken[], together: Together): void {
  const base = spread(alone.map(({ own }) => own)).median
  for (const [{ size, share, owners }, taken] of together) {
    const name = `${size} ${size === 1 ? 'node' : 'nodes'} with ${share} processors each, ${owners} owners`
    const of = (what: (taken: Taken) => number) => taken.map(what)
    const one = [...together].find(([other]) => other.size === 1 && other.share === share)![1]
    const isUsual = share === SHARE && owners === OWNERS * size
    const bare = size > 1 ? one : isUsual ? alone : undefined
    goals.push({
      name: `${name}, conversions of each${bare ? `, against ${size === 1 ? 'a service alone' : 'one node'}` : ''}`,
      unit: 'jobs/min',
      ours: of(({ rate }) => rate / size),
      ...(bare && { bare: bare.map(({ rate }) => rate), atLeast: 0.9 }),
    })
    goals.push({ name: `${name}, part of its share that each took`, unit: '', ours: of(({ got }) => got) })
    goals.push({
      name: `${name}, processor time of a conversion on the nodes that convert, with engines`,
      unit: 'ms',
      ours: of(({ converting }) => converting),
    })
    goals.push({
      name: `${name}, of ${availableParallelism()} processors busy with all of this`,
      unit: '',
      ours: of(({ ours }) => ours),
    })
    goals.push({ name: `${name}, busy with anything`, unit: '', ours: of(({ busy }) => busy) })
    if (!isUsual) continue
    const crowded = [...together].find(
      ([other]) => other.size === 1 && other.share === share && other.owners === owners,
    )
    if (crowded && size > 1)
      goals.push({
        name: `${name}, conversions of each, against one node with as many owners`,
        unit: 'jobs/min',
        ours: of(({ rate }) => rate / size),
        bare: crowded[1].map(({ rate }) => rate),
      })
    goals.push({
      name: `${name}, processor time of a conversion for the queue (ours without engines, and Redis; less a service alone)`,
      unit: 'ms',
      ours: of(({ own, redis }) => own + redis - base),
      atMost: 5,
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

/**
 * @param nodes The first one serves clients.
 * @param own Shares of those that convert.
 * @param url Of the database; undefined: SQLite.
 */
async function measure(
  nodes: readonly Service[],
  own: readonly Share[],
  { share, owners: number }: { share: number; owners: number },
  picture: string,
  url?: string,
): Promise<Taken> {
  const size = own.length
  const client = createClient(nodes[0]!.base)
  const owners = await Promise.all(
    Array.from({ length: number }, async () => {
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
  // As often as each node is likely to meet most owners.
  await run(number * 2 * size)
  const jobs = JOBS * size
  const before = await spent(nodes, own, url)
  const began = performance.now()
  await run(jobs)
  const time = performance.now() - began
  const after = await spent(nodes, own, url)
  client.close()
  const all = (key: keyof typeof before) => after[key] - before[key]
  const each = (key: keyof typeof before) => all(key) / jobs
  // The first one has no share, unless it is alone.
  const serving = url ? all('serving') : 0
  return {
    rate: (jobs * 60_000) / time,
    own: each('own'),
    redis: each('redis'),
    mariadb: each('mariadb'),
    statements: each('statements'),
    converting: each('converting'),
    got: all('converting') / (time * share * size),
    ours: (all('converting') + serving + all('redis') + all('mariadb') + all('client')) / time,
    busy: all('machine') / time,
  }
}

/** What the processes have taken so far. */
async function spent(nodes: readonly Service[], own: readonly Share[], url: string | undefined) {
  const used = await Promise.all(own.map((share) => share.used()))
  const { user, system } = process.cpuUsage()
  return {
    own: (await Promise.all(nodes.map(({ pid }) => processorTime(pid)))).reduce((total, each) => total + each, 0),
    serving: await processorTime(nodes[0]!.pid),
    converting: used.reduce((total, each) => total + each, 0),
    client: (user + system) / 1000,
    machine: cpus().reduce((total, { times }) => total + times.user + times.nice + times.sys + times.irq, 0),
    // Both names are one binary.
    redis: await processorTimeOf('redis-check-rdb'),
    mariadb: await processorTimeOf('mariadbd'),
    statements: url ? await statements(url) : 0,
  }
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
