/** Bombs, and files that were damaged at random: each conversion ends in time and leaves nothing behind. */
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import t, { type Test } from 'tap'
import { corpus } from '../fixtures/corpus.ts'
import { sample, sampled } from '../fixtures/samples.ts'
import { installation, leftovers } from '../harness/installation.ts'
import { descendants } from '../harness/processes.ts'
import { until } from '../harness/until.ts'
import { HONEST, outcomeOf } from './answers.ts'
import { bombs } from './files/bombs.ts'
import { random, seed } from './random.ts'

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

const memoryOf = async (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

const { dataDir, live } = await installation(t)
const service = await live(config)
const before = await memoryOf(service.pid)

/** Does work for each item, for three at a time. */
async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item; item = waiting.shift()) await work(item)
  }
  await Promise.all([worker(), worker(), worker()])
}

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
  await each(bombs, async ({ what, name, content, to, ends }) => {
    const end = await outcomeOf(service, await content(), name, to)
    t.ok(ends.includes(end), `${what} (${name} to ${to}): ${end}`)
  })
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

t.test(`files that were damaged at random, seed ${seed}`, async (t) => {
  const next = random(seed)
  const paths = [
    ...(await Promise.all(sampled.map(async (format) => (await sample(format)).path))),
    ...(await corpus()),
  ]
  const sources = await Promise.all(paths.map(async (path) => ({ name: basename(path), bytes: await readFile(path) })))
  const whole = sources.filter(({ bytes }) => bytes.length > 0 && bytes.length < 3_000_000)
  t.ok(whole.length >= 100, `${whole.length} files to begin with`)
  const any = <Item>(items: readonly Item[]) => items[Math.floor(next() * items.length)]
  const ends = [...HONEST, 'RESOURCE_LIMIT', 'SAME_FORMAT_NOOP', 'TIMEOUT']
  const seen = new Set<string>()
  await each(Array(200).fill(true), async () => {
    const { name, bytes } = any(whole)!
    const { json } = await service.call('GET', `/api/tools?from=${extname(name).slice(1)}&limit=200`)
    const to = any<{ toFormat: string }>(json.tools)?.toFormat ?? 'zip'
    const end = await outcomeOf(service, mutant(bytes, next), name, to)
    seen.add(end)
    if (!ends.includes(end)) t.fail(`${name} to ${to}: ${end}`)
  })
  t.ok(seen.has('completed') && seen.has('CONVERSION_ERROR'), [...seen].join())
  await sound(t)
})
