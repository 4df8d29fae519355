/** Bombs, and files that are truncated, damaged or empty: each conversion ends in time and leaves nothing behind. */
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { corpus } from '../fixtures/corpus.ts'
import { sample, sampled } from '../fixtures/samples.ts'
import { installation, leftovers } from '../harness/installation.ts'
import { descendants } from '../harness/processes.ts'
import type { Service } from '../harness/program.ts'
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
}

const memoryOf = async (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

/** Starts a conversion and waits for its end; resolves to its status or error code, and the seconds that it took. */
async function ending(service: Service, content: Buffer | string, name: string, to: string): Promise<[string, number]> {
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

/** Checks that the service works, has grown by at most so many megabytes, and has cleaned up. */
async function sound(t: Test, service: Service, dataDir: string, before: number): Promise<void> {
  t.equal((await fetch(`${service.base}/readyz`)).status, 200, 'it is ready')
  const after = await memoryOf(service.pid)
  t.ok(after < before + 250, `${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`)
  const idle = async () => descendants(service.pid).length === 0 && (await leftovers(dataDir)).length === 0
  for (let attempt = 0; attempt < 600 && !(await idle()); attempt++) await delay(100)
  t.same(await leftovers(dataDir), [], 'no folder of a job, nothing in the bin')
  t.equal(descendants(service.pid).length, 0, 'no process')
  t.notMatch(service.log(), /"level":60|uncaught|conversion broke/, 'no fault of ours in the log')
}

/** Warm processes would wait for the next job of their owner. */
const cold = { ...config, warm: { spares: 0, reuse: false } }

t.test('bombs', async (t) => {
  const { dataDir, live } = await installation(t)
  const service = await live(cold)
  const before = await memoryOf(service.pid)
  const waiting = [...bombs]
  const work = async () => {
    for (let bomb = waiting.shift(); bomb; bomb = waiting.shift()) {
      const { what, name, content, to, ends } = bomb
      const [end, seconds] = await ending(service, await content(), name, to)
      t.ok(ends.includes(end), `${what} (${name} to ${to}): ${end} after ${seconds.toFixed(1)} s`)
    }
  }
  await Promise.all([work(), work(), work()])
  await sound(t, service, dataDir, before)
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
  const { dataDir, live } = await installation(t)
  const service = await live(cold)
  const next = random(seed)
  const small = 3_000_000
  const sources: { name: string; bytes: Buffer }[] = []
  for (const format of sampled) {
    const { path } = await sample(format)
    sources.push({ name: basename(path), bytes: await readFile(path) })
  }
  if (full) for (const path of await corpus()) sources.push({ name: basename(path), bytes: await readFile(path) })
  const whole = sources.filter(({ bytes }) => bytes.length > 0 && bytes.length < small)
  t.ok(whole.length > 100, `${whole.length} files to begin with`)
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
  const before = await memoryOf(service.pid)
  let left = times(150, 2000)
  const work = async () => {
    while (left-- > 0) {
      const { name, bytes } = whole[Math.floor(next() * whole.length)]!
      const format = extname(name).slice(1)
      const to = (await targetOf(format)) ?? 'zip'
      const [end, seconds] = await ending(service, mutant(bytes, next), name, to)
      seen.set(end, (seen.get(end) ?? 0) + 1)
      const honest = [
        'completed',
        'CONVERSION_ERROR',
        'RESOURCE_LIMIT',
        'TIMEOUT',
        'ENCRYPTED_INPUT',
        'UNSUPPORTED_FORMAT',
      ]
      if (![...honest, 'SAME_FORMAT_NOOP'].includes(end)) t.fail(`${name} to ${to}: ${end}`)
      // Includes the wait for a worker, and the end of a process that ignores signals.
      if (seconds > 3 * LIMIT + 10) t.fail(`${name} to ${to}: ${end} after ${seconds} s`)
    }
  }
  await Promise.all([work(), work(), work()])
  t.ok(
    seen.get('completed') && seen.get('CONVERSION_ERROR'),
    [...seen].map(([end, count]) => `${count} × ${end}`).join(', '),
  )
  await sound(t, service, dataDir, before)
})

t.test('empty files, and files truncated at every tenth of their length', async (t) => {
  const { dataDir, live } = await installation(t)
  const service = await live(cold)
  const before = await memoryOf(service.pid)
  const kinds: [format: string, to: string][] = [
    ...([
      ['png', 'webp'],
      ['jpg', 'png'],
      ['tif', 'png'],
      ['svg', 'pdf'],
      ['pdf', 'png'],
      ['docx', 'pdf'],
    ] as [string, string][]),
    ...([
      ['odt', 'txt'],
      ['xlsx', 'csv'],
      ['epub', 'txt'],
      ['mp3', 'wav'],
      ['mp4', 'mkv'],
      ['zip', 'tar'],
    ] as [string, string][]),
    ...([
      ['tar.gz', 'zip'],
      ['7z', 'zip'],
      ['stl', 'obj'],
      ['dxf', 'svg'],
      ['gif', 'webp'],
      ['flac', 'mp3'],
    ] as [string, string][]),
  ]
  const some = full ? kinds : kinds.filter((_, index) => index % 3 === seed % 3)
  for (const [format, to] of some) {
    const bytes = await readFile((await sample(format)).path)
    const cuts = Array.from({ length: 10 }, (_, tenth) => bytes.subarray(0, Math.floor((bytes.length * tenth) / 10)))
    const ends = await Promise.all(cuts.map((cut) => ending(service, cut, `a.${format}`, to)))
    t.equal(ends[0]![0], 'BAD_REQUEST', `an empty ${format}`)
    const honest = ['completed', 'CONVERSION_ERROR', 'UNSUPPORTED_FORMAT', 'RESOURCE_LIMIT', 'SAME_FORMAT_NOOP']
    const others = ends.slice(1).filter(([end]) => !honest.includes(end))
    t.same(others, [], `${format} to ${to}: ${ends.map(([end]) => end).join(' ')}`)
  }
  await sound(t, service, dataDir, before)
})
