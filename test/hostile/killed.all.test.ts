/** The service is killed repeatedly while it works: every accepted conversion ends once, and nothing is left behind. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import t from 'tap'
import { installation, leftovers, rowsIn, storedKeys } from '../harness/installation.ts'
import { descendants, programsOf, untilGone } from '../harness/processes.ts'
import { pluginsOf, type Service } from '../harness/program.ts'
import { until } from '../harness/until.ts'
import { random, seed } from './random.ts'

// Warm processes must not outlive the service either.
const config = { plugins: pluginsOf('stub', 'image'), warm: { spares: 1 }, queue: { workers: 4 } }

/** Conversions whose start was answered, with the code with which they must fail, if they must. */
const accepted = new Map<string, string | undefined>()
const removed = new Set<string>()

/** Uploads files and starts conversions until the service is gone. */
async function load(service: Service, next: () => number, picture: Uint8Array): Promise<void> {
  for (;;) {
    if (next() < 0.25) {
      const { fileId } = await service.upload(picture, 'picture.png')
      accepted.set(await service.start(fileId, 'webp'), undefined)
      continue
    }
    const { fileId } = await service.upload(`STUB\n${next()}`, 'a.stub')
    const refuse = next() < 0.15
    const options = { sleep: Math.floor(next() * 900), ...(refuse && { fail: 'refuse' }) }
    const id = await service.start(fileId, 'bust', options)
    if (next() < 0.2) {
      // It is unknown whether this was done before a kill.
      removed.add(id)
      await service.call('DELETE', `/api/conversions/${id}`)
    } else accepted.set(id, refuse ? 'CONVERSION_ERROR' : undefined)
  }
}

t.test(`killed eight times, seed ${seed}`, async (t) => {
  const { dataDir, live } = await installation(t)
  const next = random(seed)
  const create = { width: 300, height: 200, channels: 3, background: '#6a4' } as const
  const picture = await sharp({ create }).png().toBuffer()
  for (let life = 0; life < 8; life++) {
    const service = await live(config)
    const clients = Array.from({ length: 4 }, () => load(service, next, picture).catch(() => {}))
    await delay(200 + next() * 1800)
    const engines = programsOf(descendants(service.pid))
    await service.end('SIGKILL')
    await Promise.all(clients)
    t.not(await untilGone(engines, 60_000), undefined, 'its engines ended with it')
  }
  t.ok(accepted.size > 16, `${accepted.size} conversions were accepted`)

  const service = await live(config)
  for (const [id, fails] of accepted) {
    const record = await service.finish(id)
    if (record.status === 'completed') {
      const { length } = Buffer.from(await (await fetch(record.outputUrl)).arrayBuffer())
      if (fails || length !== record.outputSize) t.fail(`${id}: ${length} bytes`, record)
      // A conversion fails after three kills while it runs, and its message says so.
    } else if (![fails, 'INTERNAL_SERVER_ERROR'].includes(record.error.code)) t.fail(`${id} failed`, record)
  }
  await until(async () => {
    const queries = ['queued', 'processing'].map((s) => service.call('GET', `/api/conversions?status=${s}`))
    return (await Promise.all(queries)).every(({ json }) => json.conversions.length === 0)
  })
  t.equal(await service.end('SIGTERM'), 0)

  const rows = rowsIn(dataDir)
  const wrong = rows.filter((row) => {
    const ended = row.expires_at !== null && row.attempts <= 3
    if (row.status === 'completed') return !ended || !row.output_key || row.progress !== 100 || row.error_code
    if (row.status === 'failed') return !ended || !row.error_code || !row.error_message || row.output_key
    return true
  })
  t.same(wrong, [], 'every record says how it ended')
  const stored = await storedKeys(dataDir)
  const outputs = rows.flatMap(({ output_key }) => output_key ?? [])
  const known = new Set([...rowsIn(dataDir, 'files').map(({ key }) => key), ...outputs])
  const failed = rows.filter(({ status }) => status === 'failed').map(({ id }) => id.replace('conv_', ''))
  const unknown = stored.filter((key) => !known.has(key) && !failed.includes(key.split('/')[4]!))
  t.same(unknown, [], 'every file belongs to a record, with which it will go')
  for (const { output_key, output_size } of rows.filter((row) => row.output_key))
    t.equal((await readFile(join(dataDir, 'files', output_key))).length, output_size, 'every result is there')
  t.same(await leftovers(dataDir), [], 'no folder of a job, nothing in the bin, nothing half received')
  // Conversions that had completed when they were deleted stay charged.
  const [use] = rowsIn(dataDir, 'quota_use')
  const charged = use.conversions - outputs.length
  t.ok(charged >= 0 && charged <= removed.size, `${charged} of ${removed.size} removed ones are charged`)
})
