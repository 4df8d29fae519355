import { setTimeout as delay } from 'node:timers/promises'
import { type createClient, load } from './client.ts'
import type { Goal } from './report.ts'
import { benchStarts } from './starts.ts'

type Client = ReturnType<typeof createClient>
type Time = (run: () => Promise<unknown>) => Promise<number>

/**
 * Short rounds in turn: what other work takes from one, it mostly takes from the other, and a median of many is steady.
 */
const ROUNDS = 15
/** Milliseconds of requests beside conversions, and of one look at how many run. */
const BESIDE = 10_000
const LOOK = 200
/**
 * Conversions that run at the same time, and owners that ask for one after another: so that always another one waits.
 */
const RUNNING = 4
const OWNERS = 8

/** Measures small requests beside Koa with the same statements. */
export async function benchRequests({
  client,
  bareClient,
  folder,
  goals,
  time,
  pictures,
  base,
  bareBase,
}: {
  client: Client
  bareClient: Client
  folder: string
  goals: Goal[]
  time: Time
  pictures: { png1: string; jpg12: string }
  base: string
  bareBase: string
}): Promise<void> {
  const { file } = await client.upload(pictures.png1)
  const { id } = await client.convert(file.fileId, 'jpg', { maxWidth: 8 })
  const [poll, bareSelect]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    bareSelect.push(await load(`${bareBase}/jobs/one`, 1))
    poll.push(await load(`${base}/api/conversions/${id}`, 1))
  }
  goals.push({ name: 'polling', unit: 'requests/s', ours: poll, bare: bareSelect, atLeast: 0.6 })
  await benchStarts({ bareClient, folder, goals, time })
  await benchHealth(client, base, pictures.jpg12, goals)
}

/** Measures the slowest hundredth of `/healthz` while four conversions run all the time, and looks how many did. */
async function benchHealth(client: Client, base: string, source: string, goals: Goal[]): Promise<void> {
  const end = performance.now() + BESIDE
  const owners = await Promise.all(
    Array.from({ length: OWNERS }, async () => {
      const owner = client.guest()
      return { owner, fileId: (await owner.upload(source)).file.fileId as string }
    }),
  )
  const convertOn = async ({ owner, fileId }: (typeof owners)[number]) => {
    while (performance.now() < end) await owner.convert(fileId, 'webp')
  }
  const [times, running]: [number[], number[]] = [[], []]
  const ask = async () => {
    while (performance.now() < end) {
      const from = performance.now()
      await client.json('GET', '/healthz')
      times.push(performance.now() - from)
    }
  }
  const look = async () => {
    for (; performance.now() < end; await delay(LOOK)) running.push(await runningIn(base))
  }
  await Promise.all([...owners.map(convertOn), ask(), look()])
  const slowest = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!
  goals.push({ name: `/healthz beside ${RUNNING} conversions, p99`, unit: 'ms', ours: [slowest], atMost: 50 })
  goals.push({ name: 'conversions that ran beside it', unit: '', ours: running, atLeast: RUNNING })
}

/** Returns how many conversions run. */
async function runningIn(base: string): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text()
  const lanes = text.matchAll(/^athanor_conversions_processing\{[^}]*\} (\d+)$/gm)
  return [...lanes].reduce((sum, [, count]) => sum + Number(count), 0)
}
