import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { sample } from '../fixtures/samples.ts'
import type { createClient } from './client.ts'
import { type Goal, spread } from './report.ts'

type Client = ReturnType<typeof createClient>

interface Bench {
  client: Client
  folder: string
  goals: Goal[]
  /** Path of a PNG of one megapixel. */
  picture: string
}

/** Rounds, and jobs of each. */
const [ROUNDS, JOBS] = [3, 100]
const CLIENTS = 200

/** Jobs of many owners: nobody may use a process that has read another owner's file. */
export async function benchOwners({ client, folder, goals, picture }: Bench): Promise<void> {
  await benchNewOwners(client, picture, goals)
  await benchDocuments(client, folder, goals)
  await benchQueue(client, picture, goals)
}

/** Uploads, converts and downloads as one owner. Resolves to milliseconds. */
async function whole(client: Client, source: string, to: string): Promise<number> {
  const began = performance.now()
  const { file } = await client.upload(source)
  await client.drain((await client.convert(file.fileId, to)).outputUrl)
  return performance.now() - began
}

async function benchNewOwners(client: Client, picture: string, goals: Goal[]): Promise<void> {
  const one = client.guest()
  await inFlight(4, JOBS, () => whole(client.guest(), picture, 'jpg'))
  await inFlight(4, 8, () => whole(one, picture, 'jpg'))
  const [many, same]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    same.push(await inFlight(4, JOBS, () => whole(one, picture, 'jpg')))
    many.push(await inFlight(4, JOBS, () => whole(client.guest(), picture, 'jpg')))
  }
  const name = 'PNG 1 MP to JPG, four in flight, a new owner for each job'
  goals.push({ name, unit: 'jobs/min', ours: many, atLeast: 1000 })
  goals.push({ name: `${name}, against one owner`, unit: 'jobs/min', ours: many, bare: same })
}

async function benchDocuments(client: Client, folder: string, goals: Goal[]): Promise<void> {
  const { path } = await sample('docx')
  const cold = async () => {
    const profile = await mkdtemp(join(folder, 'office-'))
    const args = ['--headless', `-env:UserInstallation=file://${profile}`, '--convert-to', 'pdf', '--outdir', profile]
    await execa('soffice', [...args, path])
    await rm(profile, { recursive: true })
  }
  const [ours, bare]: [number[], number[]] = [[], []]
  await cold()
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await inFlight(2, 6, cold))
    ours.push(await inFlight(2, 6, () => whole(client.guest(), path, 'pdf')))
  }
  const name = 'DOCX to PDF, two in flight, a new owner for each job'
  goals.push({ name, unit: 'jobs/min', ours, bare, atLeast: 0.9 })
}

/** Many clients at the same time, each with a few jobs in a row: nobody may wait much longer than the others. */
async function benchQueue(client: Client, picture: string, goals: Goal[]): Promise<void> {
  const times: number[] = []
  const each = async () => {
    const own = client.guest()
    for (let job = 0; job < 2; job++) times.push(await whole(own, picture, 'jpg'))
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: CLIENTS }, each))
  const service = (performance.now() - began) / times.length
  const [p95 = 0] = times.toSorted((a, b) => a - b).slice(Math.floor(times.length * 0.95))
  goals.push({ name: `${CLIENTS} clients, PNG 1 MP to JPG`, unit: 'jobs/min', ours: [60_000 / service] })
  goals.push({ name: `${CLIENTS} clients, median`, unit: 'ms', ours: [spread(times).median] })
  const expected = CLIENTS * service
  goals.push({
    name: `${CLIENTS} clients, 95th percentile, against clients × time of a job`,
    unit: 'ms',
    ours: [p95],
    bare: [expected],
    atMost: 1.2,
  })
}

/** Runs `jobs` with `lanes` at the same time. Resolves to jobs per minute. */
async function inFlight(lanes: number, jobs: number, run: () => Promise<unknown>): Promise<number> {
  let next = 0
  const lane = async () => {
    while (next++ < jobs) await run()
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: lanes }, lane))
  return (jobs * 60_000) / (performance.now() - began)
}
