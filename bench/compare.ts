import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from './client.ts'
import { type Bench, inFlight, whole } from './engines.ts'
import { processorTime } from './processor-time.ts'
import { startService } from './service.ts'
import { withFullLanes } from './starts.ts'

/** Batches of each kind, in turn. */
const ROUNDS = 15
/** Of a batch: starts with a poll after each, by so many clients; whole jobs, so many at a time. */
const REQUESTS = { count: 200, lanes: 8 }
const JOBS = { count: 24, lanes: 4 }
/** How much more processor time than the other checkout a batch may take: what two runs of one checkout differ by. */
const SAME = 1.05

/** One of the two services. */
interface Side {
  pid: number
  run: () => Promise<unknown>
  /** Undoes a batch; not measured. */
  after?: () => Promise<unknown>
}

/**
 * Compares this checkout with another one, such as one of an older commit, in the same run: the services of both run at
 * the same time, and batches alternate. First starts with a poll after each, while all lanes are full. Then whole jobs,
 * PNG to JPG.
 *
 * @param other The folder of the other checkout, with its packages and its setup. @param picture Path of a PNG of one
 * megapixel.
 */
export async function benchCompare(bench: Omit<Bench, 'client'>, other: string, picture: string): Promise<void> {
  const place = (name: string) => join(bench.folder, name)
  await withFullLanes(place('requests-here'), {}, async (here) =>
    withFullLanes(
      place('requests-there'),
      {},
      async (there) => compare(bench, 'a start and a poll', REQUESTS, [here, there].map(startAndPoll)),
      other,
    ),
  )
  for (const name of ['jobs-here', 'jobs-there']) await mkdir(place(name), { mode: 0o711 })
  await using services = new AsyncDisposableStack()
  const sides: Side[] = []
  for (const [name, root] of [['jobs-here'], ['jobs-there', other]] as const) {
    const service = await startService(place(name), {}, '', root)
    services.defer(service.stop)
    const client = createClient(service.base)
    services.defer(async () => client.close())
    sides.push({ pid: service.pid, run: whole(client, picture, 'jpg') })
  }
  await compare(bench, 'PNG 1 MP to JPG, one owner', JOBS, sides)
}

type Filled = Parameters<Parameters<typeof withFullLanes>[2]>[0]

function startAndPoll({ client, start, pid }: Filled): Side {
  const ids: string[] = []
  return {
    pid,
    async run() {
      const id = await start()
      ids.push(id)
      await client.json('GET', `/api/conversions/${id}`)
    },
    async after() {
      for (const id of ids.splice(0)) await client.drain(`/api/conversions/${id}`, 'DELETE')
    },
  }
}

/** @param sides This checkout and the other one. */
async function compare(
  { goals, time }: Omit<Bench, 'client'>,
  name: string,
  { count, lanes }: { count: number; lanes: number },
  sides: readonly Side[],
): Promise<void> {
  const rates: number[][] = sides.map(() => [])
  const costs: number[][] = sides.map(() => [])
  // The first batch compiles code and starts engines.
  for (let round = -1; round < ROUNDS; round++)
    for (const at of round % 2 ? [0, 1] : [1, 0]) {
      const { pid, run, after } = sides[at]!
      const before = await processorTime(pid)
      const took = await time(() => inFlight(lanes, count, run))
      const cost = (await processorTime(pid)) - before
      await after?.()
      if (round < 0) continue
      rates[at]!.push((count * 1000) / took)
      costs[at]!.push(cost / count)
    }
  const [ours, bare] = costs as [number[], number[]]
  goals.push({
    name: `${name}, against the other: processor time of the service`,
    unit: 'ms',
    ours,
    bare,
    atMost: SAME,
  })
  goals.push({ name: `${name}, against the other`, unit: 'per second', ours: rates[0]!, bare: rates[1]! })
}
