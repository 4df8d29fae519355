/**
 * `npm run bench`: compares the service with the bare library, or a bare sink, source or select, interleaved in the
 * same run. Prints minimum, median, maximum and ratio of each, and which goals are met. Run it on a quiet machine.
 */
import { copyFile, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { createClient } from './client.ts'
import { benchCompare } from './compare.ts'
import { benchEngines } from './engines.ts'
import { benchGrowth } from './growth.ts'
import { benchJobs } from './jobs.ts'
import { benchMemory } from './memory.ts'
import { benchNodes } from './nodes.ts'
import { benchOwners } from './owners.ts'
import { benchPage } from './page.ts'
import { benchPeers } from './peers.ts'
import { makePictures } from './pictures.ts'
import { type Goal, print } from './report.ts'
import { benchRequests } from './requests.ts'
import { startBaseline, startService } from './service.ts'
import { benchStreams } from './streams.ts'
import { benchSweeps } from './sweeps.ts'
import { benchTransfer } from './transfer.ts'

const ROUNDS = 5
const BIG = 1.6e9

sharp.cache(false)
sharp.concurrency(1)

const time = async (run: () => Promise<unknown>) => {
  const start = performance.now()
  await run()
  return performance.now() - start
}
const only = process.argv[2]
const goals: Goal[] = []
const folder = await mkdtemp(join(tmpdir(), 'athanor-bench-'))
const pictures = await makePictures(folder)
// Only transfers need it. The disk would still write it during other measurements.
const big = !only || only === 'transfer' ? await makeBig() : pictures.png1
const service = await startService(folder)
const baseline = await startBaseline(folder, big)
const client = createClient(service.base)
const bareClient = createClient(baseline.base)
try {
  await delay(1000)
  goals.push({ name: 'memory at rest', unit: 'MB', ours: [await service.memory()], atMost: 90 })
  goals.push({ name: 'resident memory at rest', unit: 'MB', ours: [await service.resident()] })
  if (!only || only === 'pictures') await benchPictures()
  if (!only || only === 'transfer')
    await benchTransfer({ client, bareClient, service, goals, time, big, size: BIG, rounds: ROUNDS })
  if (!only || only === 'requests')
    await benchRequests({
      client,
      bareClient,
      folder,
      goals,
      time,
      pictures,
      base: service.base,
      bareBase: baseline.base,
    })
  if (!only || only === 'streams') await benchStreams(service.base, goals, service.memory)
  if (!only || only === 'engines') await benchEngines({ client, folder, goals, time })
  if (!only || only === 'memory') await benchMemory(goals, folder, pictures.jpg12)
  if (only === 'compare') await benchCompare({ folder, goals, time }, resolve(process.argv[3]!), pictures.png1)
  if (only === 'growth') await benchGrowth({ folder, goals, time })
  if (only === 'sweeps') await benchSweeps({ folder, goals, picture: pictures.png1 })
  if (!only || only === 'jobs') await benchJobs({ client, folder, goals, time }, pictures.png1, process.argv.slice(3))
  if (!only || only === 'peers') await benchPeers({ client, folder, goals, time }, pictures.png1)
  if (!only || only === 'owners') await benchOwners({ client, folder, goals, picture: pictures.png1 })
  if (!only || only === 'nodes') await benchNodes({ folder, goals, picture: pictures.png1 })
  if (!only || only === 'page')
    await benchPage({
      base: service.base,
      client,
      folder,
      goals,
      time,
      memory: service.memory,
      photo: pictures.jpg12,
    })
} finally {
  client.close()
  bareClient.close()
  await Promise.all([service.stop(), baseline.stop()])
  await rm(folder, { recursive: true, force: true })
}
process.exitCode = print(goals) ? 0 : 1

async function benchPictures() {
  const { png1, jpg12, svg } = pictures
  const bare: Record<string, (path: string, to: string) => Promise<unknown>> = {
    jpg: (path, to) => sharp(path).autoOrient().flatten({ background: '#fff' }).jpeg({ quality: 82 }).toFile(to),
    webp: (path, to) => sharp(path).autoOrient().webp({ quality: 80 }).toFile(to),
    avif: (path, to) => sharp(path).autoOrient().avif({ quality: 55 }).toFile(to),
    png: (path, to) => sharp(path, { density: 150 }).png().toFile(to),
  }
  const rows: [name: string, source: string, to: string, rounds: number, parallel: number | undefined][] = [
    ['PNG 1 MP to JPG', png1, 'jpg', ROUNDS * 3, undefined],
    ['PNG 1 MP to WebP', png1, 'webp', ROUNDS * 3, 0.65],
    ['JPG 12 MP to WebP', jpg12, 'webp', ROUNDS, 0.9],
    ['SVG to PNG', svg, 'png', ROUNDS, undefined],
  ]
  await service.loopDelay()
  for (const [name, source, to, rounds, parallel] of rows) {
    const target = join(folder, `bare.${to}`)
    const { file } = await client.upload(source)
    // The first of each is a warm-up for both.
    await client.convert(file.fileId, to)
    await bare[to]!(source, target)
    const [inside, outside, plain]: number[][] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      plain!.push(await time(() => bare[to]!(source, target)))
      outside!.push(
        await time(async () => {
          const uploaded = await client.upload(source)
          const record = await client.convert(uploaded.file.fileId, to)
          await client.drain(record.outputUrl)
          inside!.push(Date.parse(record.completedAt) - Date.parse(record.createdAt))
        }),
      )
    }
    const small = rounds > ROUNDS
    goals.push({
      name: `${name}, completedAt − createdAt`,
      unit: 'ms',
      ours: inside!,
      bare: plain!,
      ...(small && { atMost: 1.5 }),
    })
    goals.push({ name: `${name}, end to end`, unit: 'ms', ours: outside!, bare: plain!, ...(small && { atMost: 2.5 }) })
    if (parallel) await benchParallel(name, source, to, (target) => bare[to]!(source, target), parallel)
  }
  goals.push({ name: 'event-loop delay p99 under load', unit: 'ms', ours: [await service.loopDelay()], atMost: 20 })

  const { file } = await client.upload(jpg12)
  const record: number[] = []
  const ratio: number[] = []
  const plain = await time(() => bare.avif!(jpg12, join(folder, 'bare.avif')))
  const { size } = await stat(join(folder, 'bare.avif'))
  for (let round = 0; round < 3; round++) {
    const made = await client.convert(file.fileId, 'avif')
    record.push(Date.parse(made.completedAt) - Date.parse(made.createdAt))
    ratio.push(made.outputSize)
  }
  goals.push({
    name: 'JPG 12 MP to AVIF, completedAt − createdAt',
    unit: 'ms',
    ours: record,
    bare: [plain, plain, plain],
    atMost: 0.1,
  })
  goals.push({ name: 'JPG 12 MP to AVIF, size', unit: 'bytes', ours: ratio, bare: [size, size, size], atMost: 1.05 })
}

/** Measures jobs per minute with four at the same time, compared with the same library in this process. */
async function benchParallel(
  name: string,
  source: string,
  to: string,
  bare: (target: string) => Promise<unknown>,
  atLeast: number,
) {
  const jobs = name.includes('12') ? 12 : 60
  const { file } = await client.upload(source)
  const fourInFlight = async (run: (n: number) => Promise<unknown>) => {
    let next = 0
    const one = async () => {
      for (let n = next++; n < jobs; n = next++) await run(n)
    }
    const took = await time(() => Promise.all([one(), one(), one(), one()]))
    return (jobs * 60_000) / took
  }
  const [ours, plain]: [number[], number[]] = [[], []]
  for (let round = 0; round < 3; round++) {
    plain.push(await fourInFlight((n) => bare(join(folder, `bare-${n}.${to}`))))
    ours.push(await fourInFlight(() => client.convert(file.fileId, to)))
  }
  goals.push({ name: `${name}, four in flight`, unit: 'jobs/min', ours, bare: plain, atLeast })
}

/** A picture with padding to 1.6 GB: detected by its first bytes, never decoded. */
async function makeBig(): Promise<string> {
  const path = join(folder, 'big.png')
  await copyFile(pictures.png1, path)
  await using file = await open(path, 'a')
  const chunk = Buffer.alloc(16 << 20, 0x5a)
  for (let left = BIG - (await file.stat()).size; left > 0; left -= chunk.length) {
    await file.write(chunk, 0, Math.min(chunk.length, left))
  }
  return path
}
