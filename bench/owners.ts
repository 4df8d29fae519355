import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { execa } from 'execa'
import { sample } from '../test/fixtures/samples.ts'
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
const ROUNDS = 3
const JOBS = 100
const CLIENTS = 200
/** Owners whose jobs are measured alone, and the milliseconds between two of them. */
const ALONE = 20
const REST = 500

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

/**
 * Many clients at the same time, each with a few jobs in a row. The 95th percentile of their time, against clients ×
 * time of a job. That time is measured in two ways:
 *
 * - in this queue: the least that the mean can be. So this row shows only that nobody waits much longer than others.
 * - alone, before the queue forms, divided by what the cores can do at the same time. So that row also counts what a
 *   job costs that its own client does not wait for, such as the boot of the next spare.
 */
async function benchQueue(client: Client, picture: string, goals: Goal[]): Promise<void> {
  const times: number[] = []
  const inTurn = async (own: Client, into: number[]) => {
    for (let job = 0; job < 2; job++) into.push(await whole(own, picture, 'jpg'))
  }
  const single: number[] = []
  for (let owner = 0; owner < ALONE; owner++) {
    await inTurn(client.guest(), single)
    // Until the spare that it used is replaced.
    await delay(REST)
  }
  const alone = single.reduce((sum, took) => sum + took, 0) / single.length / availableParallelism()
  const began = performance.now()
  await Promise.all(Array.from({ length: CLIENTS }, () => inTurn(client.guest(), times)))
  const queued = (performance.now() - began) / times.length
  const [p95 = 0] = times.toSorted((a, b) => a - b).slice(Math.floor(times.length * 0.95))
  const name = `${CLIENTS} clients, PNG 1 MP to JPG`
  goals.push({ name, unit: 'jobs/min', ours: [60_000 / queued], bare: [60_000 / alone] })
  goals.push({ name: `${name}: median`, unit: 'ms', ours: [spread(times).median] })
  for (const [how, service] of [
    ['in this queue (fairness)', queued],
    [`alone, by ${availableParallelism()} cores`, alone],
  ] as const) {
    goals.push({
      name: `${name}: 95th percentile, against clients × time of a job ${how}`,
      unit: 'ms',
      ours: [p95],
      bare: [CLIENTS * service],
      atMost: 1.2,
    })
  }
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
