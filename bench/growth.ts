import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { type Database, openDatabase, type Place } from '../kernel/database/database.ts'
import { listBacklog } from '../kernel/database/tables/backlog.ts'
import { admitConversion } from '../kernel/database/tables/conversion-admission.ts'
import { claimConversion, endConversion } from '../kernel/database/tables/conversion-claims.ts'
import { deleteConversion, listExpiredConversions, type NewConversion } from '../kernel/database/tables/conversions.ts'
import { listConversions } from '../kernel/database/tables/shown-conversions.ts'
import { transact } from '../kernel/database/transact.ts'
import { startMariaDb } from '../test/harness/servers/mariadb.ts'
import { createClient } from './client.ts'
import { type Bench, whole } from './engines.ts'
import { fill } from './growth-rows.ts'
import { processorTime, processorTimeOf } from './processor-time.ts'
import { startService } from './service.ts'

const SIZES = [100, 10_000, 1_000_000]
/** How much more a step may cost in a large table than in a small one. */
const FLAT = 1.5
/** Turns of each number, and of starts. In a turn: conversions whose statements are measured, and whole jobs. */
const ROUNDS = 6
const STARTS = 2
const STATEMENTS = 100
const JOBS = 20

/** A database with so many stored conversions. */
interface Grown extends Place {
  size: number
}

/**
 * The costs of one conversion and of a start, with few and with many stored conversions. Each number has its own
 * database, and all are measured in turn: what other work takes from one, it mostly takes from the others.
 */
export async function benchGrowth({ folder, goals, time }: Pick<Bench, 'folder' | 'goals' | 'time'>): Promise<void> {
  const tiny = join(folder, 'tiny.png')
  await sharp({ create: { width: 8, height: 8, channels: 3, background: '#246' } })
    .png()
    .toFile(tiny)
  await using server = await startMariaDb()
  for (const name of ['SQLite', 'MariaDB']) {
    const places: Grown[] = []
    for (const size of SIZES) {
      const url = name === 'MariaDB' ? await server.create(`growth_${size}`) : undefined
      const place = { url, dataDir: join(await mkdtemp(join(folder, 'grown-')), 'data'), size }
      // The first start makes the schema, and asks the engines for their versions.
      await startedIn(place, time)
      const database = await openDatabase(place)
      await fill(database, size)
      await database.destroy()
      places.push(place)
    }
    const bench = { goals, time, name, places }
    await benchStart(bench)
    await benchStatements(bench)
    await benchJobs(bench, tiny)
  }
}

interface Growth extends Pick<Bench, 'goals' | 'time'> {
  /** Of the database. */
  name: string
  places: readonly Grown[]
}

/**
 * Tells figures with many stored conversions against those with few.
 * @param costs By number of stored ones, then by name.
 */
function tell({ goals, name }: Growth, costs: ReadonlyMap<number, Record<string, number[]>>): void {
  const few = costs.get(SIZES[0]!)!
  for (const [size, steps] of [...costs].slice(1))
    for (const [step, ours] of Object.entries(steps))
      goals.push({
        name: `${name}, ${step}: ${size} stored against ${SIZES[0]}`,
        unit: 'ms',
        ours,
        bare: few[step]!,
        atMost: FLAT,
      })
}

const service = ({ url, dataDir }: Place) =>
  startService(join(dataDir, '..'), url === undefined ? {} : { DATABASE_URL: url })

async function benchStart({ goals, time, name, places }: Growth): Promise<void> {
  const took = new Map(places.map((place) => [place, [] as number[]]))
  for (let round = 0; round < STARTS; round++)
    for (const [place, times] of took) times.push(await startedIn(place, time))
  for (const [{ size }, ours] of took)
    goals.push({ name: `${name}, ${size} stored: start of the service to ready`, unit: 'ms', ours, atMost: 2000 })
}

/** Starts a service and stops it. Resolves to the milliseconds until it was ready. */
async function startedIn(place: Place, time: Bench['time']): Promise<number> {
  let started: Awaited<ReturnType<typeof service>> | undefined
  const took = await time(async () => (started = await service(place)))
  await started!.stop()
  return took
}

/** Measures the statements of a conversion and of lists. */
async function benchStatements(growth: Growth): Promise<void> {
  const costs = new Map<number, Record<string, number[]>>()
  const databases = await Promise.all(
    growth.places.map(async (place) => ({ ...place, base: await openDatabase(place) })),
  )
  for (let round = 0; round < ROUNDS; round++)
    for (const { size, url, base } of databases) {
      const into = costs.get(size) ?? {}
      costs.set(size, into)
      await measure(base, url !== undefined, into)
    }
  await Promise.all(databases.map(({ base }) => base.destroy()))
  tell(growth, costs)
}

/**
 * Measures whole jobs of the cheapest kind, over HTTP: upload, start, wait, download. As wall time and as processor
 * time of the service, and of the database's server for all of a batch.
 */
async function benchJobs(growth: Growth, tiny: string): Promise<void> {
  await using services = new AsyncDisposableStack()
  const costs = new Map<number, Record<string, number[]>>()
  const sides: { size: number; pid: number; run: () => Promise<void> }[] = []
  for (const place of growth.places) {
    const { base, pid, stop } = await service(place)
    services.defer(stop)
    const client = createClient(base)
    services.defer(async () => client.close())
    const run = whole(client, tiny, 'jpg')
    for (let job = 0; job < JOBS; job++) await run()
    sides.push({ size: place.size, pid, run })
    costs.set(place.size, {})
  }
  const spent = async (pid: number) => [await processorTime(pid), await processorTimeOf('mariadbd')] as const
  for (let round = 0; round < ROUNDS; round++)
    for (const { size, pid, run } of sides) {
      const into = costs.get(size)!
      const [own, server] = await spent(pid)
      for (let job = 0; job < JOBS; job++) (into['a whole job'] ??= []).push(await growth.time(run))
      const [ownAfter, serverAfter] = await spent(pid)
      ;(into['a whole job, processor time of the service'] ??= []).push((ownAfter - own) / JOBS)
      if (growth.name === 'MariaDB')
        (into['a whole job, processor time of MariaDB'] ??= []).push((serverAfter - server) / JOBS)
    }
  tell(growth, costs)
}

/** Adds the milliseconds of each step, several times. */
async function measure(database: Database, shared: boolean, costs: Record<string, number[]>): Promise<void> {
  const time = async (step: string, run: () => Promise<unknown>) => {
    const began = performance.now()
    await run()
    ;(costs[step] ??= []).push(performance.now() - began)
  }
  const owners = ['user_of_many', 'user_3']
  for (let job = 0; job < STATEMENTS; job++) {
    const row = newConversion(job)
    await time('start', () =>
      transact(database, (transaction) => admitConversion(transaction, row, { pendingJobs: 5, capacity: 1000 })),
    )
    await time('claim', () => claimConversion(database, row.id))
    const ending = { status: 'failed', error_code: 'CANCELLED', error_message: 'x' } as const
    await time('end', () =>
      transact(database, (transaction) =>
        endConversion(transaction, row.id, { statuses: ['processing'], fence: 1 }, ending, 1),
      ),
    )
    const page = { limit: 51, now: Date.now() }
    await time('first page of the list', () => listConversions(database, ['user_of_many'], page))
    await time('page of the list of two owners', () => listConversions(database, owners, page))
    const failed = { ...page, status: 'failed' } as const
    await time('failed ones of two owners', () => listConversions(database, owners, failed))
    await time('later page of the list', () => listConversions(database, owners, { ...page, before: 'conv_000000050' }))
    if (shared) await time('backlog', () => listBacklog(database, 8))
  }
  await time('sweep of 100', async () => {
    const rows = await listExpiredConversions(database, Date.now(), 100, [])
    for (const { id } of rows) await transact(database, (transaction) => deleteConversion(transaction, id))
  })
}

const newConversion = (number: number): NewConversion => ({
  id: `conv_9${Date.now()}_${number}`,
  owner: 'user_3',
  lane: 'user_3',
  plan: 'free',
  status: 'queued',
  progress: 0,
  category: 'image',
  from_format: 'png',
  to_format: 'jpg',
  intent: 'convert',
  options: '{}',
  source_key: 'x',
  source_size: 1,
  source_sha256: null,
  name: 'x',
  heavy: 0,
  attempts: 0,
  fence: 0,
  created_at: Date.now(),
  charged_to: null,
  batch: null,
  folder: null,
  request_id: null,
  traceparent: null,
  tracestate: null,
})
