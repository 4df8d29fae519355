/** Bombs, and files that were damaged at random: each conversion ends in time and leaves nothing behind. */
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import t, { type Test } from 'tap'
import { corpus } from '../fixtures/corpus.ts'
import { sample, sampled } from '../fixtures/samples.ts'
import { installation, leftovers } from '../harness/installation.ts'
import { descendants } from '../harness/processes.ts'
import { until } from '../harness/until.ts'
import { bombs } from './files/bombs.ts'
import { random, seed } from './random.ts'
import { full, times } from './scale.ts'

t.setTimeout(90 * 60_000)

/** Seconds that a conversion may take, and limits of what it may use. */
const LIMIT = 20
const config = {
  timeouts: { light: LIMIT, heavy: LIMIT },
  limits: { memory: '700MB', disk: '400MB', files: 20_000 },
  queue: { workers: 3, heavyWorkers: 2 },
  // Warm processes would wait for the next job of their owner.
  warm: { spares: 0, reuse: false },
}

/** Outcomes of a damaged file. */
const HONEST = ['completed', 'CONVERSION_ERROR', 'UNSUPPORTED_FORMAT', 'RESOURCE_LIMIT', 'SAME_FORMAT_NOOP']

const memoryOf = async (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

/** Starts a conversion and waits for its end; resolves to its status or error code, and the seconds that it took. */
async function ending(content: Buffer | string, name: string, to: string): Promise<[string, number]> {
  const began = performance.now()
  const uploaded = await service.upload(content, name).catch((error: Error) => error)
  if (uploaded instanceof Error) return [/"code":"(\w+)"/.exec(uploaded.message)?.[1] ?? uploaded.message, 0]
  const jobIntent = uploaded.format === to ? 'transform' : 'convert'
  const { status, json } = await service.call('POST', '/api/conversions', {
    fileId: uploaded.fileId,
    toFormat: to,
    jobIntent,
  })
  if (status !== 201) return [json.error.code, 0]
  const record = await service.finish(json.conversionId)
  return [record.error?.code ?? record.status, (performance.now() - began) / 1000]
}

const { dataDir, live } = await installation(t)
const service = await live(config)
const before = await memoryOf(service.pid)

/** Checks that the service works, has grown by at most so many megabytes, and has cleaned up. */
async function sound(t: Test): Promise<void> {
  t.equal((await fetch(`${service.base}/readyz`)).status, 200, 'it is ready')
  const after = await memoryOf(service.pid)
  t.ok(after < before + 250, `${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`)
  // No folder of a job, nothing in the bin, no process.
  await until(async () => descendants(service.pid).length === 0 && (await leftovers(dataDir)).length === 0)
  t.notMatch(service.log(), /"level":60|uncaught|conversion broke/, 'no fault of ours in the log')
}

t.test('bombs', async (t) => {
  const waiting = bombs.filter(({ quick }) => full || quick)
  const work = async () => {
    for (let bomb = waiting.shift(); bomb; bomb = waiting.shift()) {
      const { what, name, content, to, ends } = bomb
      const [end, seconds] = await ending(await content(), name, to)
      t.ok(ends.includes(end), `${what} (${name} to ${to}): ${end} after ${seconds.toFixed(1)} s`)
    }
  }
  await Promise.all([work(), work(), work()])
  await sound(t)
})

/** Changes a few bytes, or removes, doubles or overwrites a part. */
function mutant(bytes: Buffer, next: () => number): Buffer {
  const below = (limit: number) => Math.floor(next() * limit)
  const copy = Buffer.from(bytes)
  const kind = below(5)
  const at = below(copy.length)
  const length = Math.min(1 + below(400), copy.length - at)
  if (kind === 0) return Buffer.concat([copy.subarray(0, at), copy.subarray(at + length)])
  if (kind === 1) return Buffer.concat([copy.subarray(0, at + length), copy.subarray(at)])
  if (kind === 2) return copy.fill(below(256), at, at + length)
  // The most important data is in the first kilobytes.
  for (let flip = 0; flip <= below(20); flip++)
    copy[below(next() < 0.5 ? Math.min(2000, copy.length) : copy.length)]! ^= 1 << below(8)
  return copy
}

/** Pairs of the fast tests, of cheap engines. */
const quick: Record<string, string> = {
  png: 'webp',
  gif: 'png',
  svg: 'png',
  zip: 'tar',
  csv: 'json',
  stl: 'obj',
  tar: 'zip',
}

t.test(`files that were damaged at random, seed ${seed}`, async (t) => {
  const next = random(seed)
  const small = 3_000_000
  const sources: { name: string; bytes: Buffer }[] = []
  for (const format of full ? sampled : Object.keys(quick)) {
    const { path } = await sample(format)
    sources.push({ name: basename(path), bytes: await readFile(path) })
  }
  if (full) for (const path of await corpus()) sources.push({ name: basename(path), bytes: await readFile(path) })
  const whole = sources.filter(({ bytes }) => bytes.length > 0 && bytes.length < small)
  t.ok(whole.length >= times(1, 100), `${whole.length} files to begin with`)
  const tools = new Map<string, string[]>()
  const targetOf = async (format: string) => {
    if (!tools.has(format)) {
      const { json } = await service.call('GET', `/api/tools?from=${format}&limit=200`)
      tools.set(
        format,
        json.tools.map(({ toFormat }: any) => toFormat),
      )
    }
    const targets = tools.get(format)!
    return targets[Math.floor(next() * targets.length)]
  }
  const seen = new Map<string, number>()
  let left = times(12, 200)
  const work = async () => {
    while (left-- > 0) {
      const { name, bytes } = whole[Math.floor(next() * whole.length)]!
      const format = extname(name).slice(1)
      const to = (full ? await targetOf(format) : quick[format]) ?? 'zip'
      const [end, seconds] = await ending(mutant(bytes, next), name, to)
      seen.set(end, (seen.get(end) ?? 0) + 1)
      if (![...HONEST, 'TIMEOUT', 'ENCRYPTED_INPUT'].includes(end))
        t.fail(`${name} to ${to}: ${end} after ${seconds} s`)
    }
  }
  await Promise.all([work(), work(), work()])
  const summary = [...seen].map(([end, count]) => `${count} × ${end}`).join(', ')
  t.ok(!full || (seen.get('completed') && seen.get('CONVERSION_ERROR')), summary)
  await sound(t)
})
