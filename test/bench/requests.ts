import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, load } from './client.ts'
import type { Goal } from './report.ts'
import { startService } from './service.ts'

type Client = ReturnType<typeof createClient>
type Time = (run: () => Promise<unknown>) => Promise<number>

/** Short rounds in turn: what other work takes from one, it mostly takes from the other, and a median of many is steady. */
const ROUNDS = 15
/** Conversions that start in a round, by so many clients. Fewer than the queue takes. */
const [STARTS, CLIENTS] = [400, 8]
/** Milliseconds of requests beside conversions. */
const BESIDE = 10_000

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
  await benchHealth(client, pictures.jpg12, goals)
}

/** Measures starts while every lane is full, so that no engine shares the machine. Jobs of the stub hold the lanes. */
async function benchStarts({
  bareClient,
  folder,
  goals,
  time,
}: {
  bareClient: Client
  folder: string
  goals: Goal[]
  time: Time
}): Promise<void> {
  const place = join(folder, 'starts')
  await mkdir(place, { mode: 0o711 })
  const stub = join(import.meta.dirname, '..', 'stub-plugin')
  const service = await startService(place, {}, `plugins: { ${JSON.stringify(stub)}: true }\n`)
  const client = createClient(service.base)
  try {
    const { file } = await client.uploadBytes(Buffer.from('STUB\nOnce upon a time.'), 'a.stub')
    const body = { fileId: file.fileId, toFormat: 'bust', options: { sleep: 600_000 } }
    const start = async () => (await client.json('POST', '/api/conversions', body)).conversionId as string
    for (;;) {
      const { queued } = await client.json('POST', '/api/conversions', body)
      if (queued) break
    }
    const [ours, bare]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await perSecond(time, () => bareClient.json('POST', '/starts', body)))
      await bareClient.drain('/starts', 'DELETE')
      const ids: string[] = []
      ours.push(await perSecond(time, async () => ids.push(await start())))
      for (const id of ids) await client.drain(`/api/conversions/${id}`, 'DELETE')
    }
    goals.push({ name: 'starting a conversion, lanes full', unit: 'requests/s', ours, bare, atLeast: 0.5 })
  } finally {
    client.close()
    await service.stop()
  }
}

async function perSecond(time: Time, run: () => Promise<unknown>): Promise<number> {
  let left = STARTS
  const one = async () => {
    while (left-- > 0) await run()
  }
  return (STARTS * 1000) / (await time(() => Promise.all(Array.from({ length: CLIENTS }, one))))
}

/** Measures the slowest hundredth of `/healthz` while four conversions run all the time. */
async function benchHealth(client: Client, source: string, goals: Goal[]): Promise<void> {
  const end = performance.now() + BESIDE
  // One owner may have only half of the places.
  const convertOn = async () => {
    const owner = client.guest()
    const { file } = await owner.upload(source)
    while (performance.now() < end) await owner.convert(file.fileId, 'webp')
  }
  const times: number[] = []
  const ask = async () => {
    while (performance.now() < end) {
      const from = performance.now()
      await client.json('GET', '/healthz')
      times.push(performance.now() - from)
    }
  }
  await Promise.all([...Array.from({ length: 4 }, convertOn), ask()])
  const slowest = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!
  goals.push({ name: '/healthz beside four conversions of four owners, p99', unit: 'ms', ours: [slowest], atMost: 50 })
}
