/** The service is killed repeatedly while it works: every accepted conversion ends once, and nothing is left behind. */
import { readFileSync, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Database from 'better-sqlite3'
import sharp from 'sharp'
import t from 'tap'
import { installation, leftovers, storedKeys } from '../harness/installation.ts'
import { descendants, programsOf, untilGone } from '../harness/processes.ts'
import type { Service } from '../harness/program.ts'
import { random, seed } from './random.ts'

const stub = join(import.meta.dirname, '../stub-plugin')
const others = ['document', 'video', 'audio', 'archive', 'vector', 'cad', 'ebook']
const config = {
  plugins: { [stub]: true, ...Object.fromEntries(others.map((name) => [name, false])) },
  // Warm processes must not outlive the service either.
  warm: { spares: 1 },
  queue: { workers: 4 },
}

/** Conversions with an answered start. */
interface Accepted {
  /** The code with which it must fail, if it must fail. */
  fails: string | undefined
  to: string
}

/** Uploads files and starts conversions until the service is gone. */
async function load(
  service: Service,
  next: () => number,
  picture: Uint8Array,
  accepted: Map<string, Accepted>,
  removed: Set<string>,
) {
  for (;;) {
    try {
      if (next() < 0.25) {
        const { fileId } = await service.upload(picture, 'picture.png')
        accepted.set(await service.start(fileId, 'webp'), { fails: undefined, to: 'webp' })
        continue
      }
      const { fileId } = await service.upload(`STUB\n${next()}`, 'a.stub')
      const refuse = next() < 0.15
      const options = { sleep: Math.floor(next() * 900), ...(refuse && { fail: 'refuse' }) }
      const id = await service.start(fileId, 'bust', options)
      accepted.set(id, { fails: refuse ? 'CONVERSION_ERROR' : undefined, to: 'bust' })
      if (next() < 0.2) {
        // It is unknown whether this was done before a kill.
        accepted.delete(id)
        removed.add(id)
        await service.call('DELETE', `/api/conversions/${id}`)
      }
      if (next() < 0.3) await delay(next() * 300)
    } catch {
      return
    }
  }
}

/** Running sandboxes of a work folder, by the name under which they were started. */
async function sandboxes(work: string): Promise<string[]> {
  const { dev, ino } = statSync(work)
  const name = `athanor-${dev.toString(36)}-${ino.toString(36)}\0`
  const all = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
  return all.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(name)
    } catch {
      return false
    }
  })
}

t.test(`killed eight times, seed ${seed}`, async (t) => {
  const { dataDir, live } = await installation(t)
  const next = random(seed)
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#6a4' } })
    .png()
    .toBuffer()
  const accepted = new Map<string, Accepted>()
  const removed = new Set<string>()
  const left: number[] = []
  for (let life = 0; life < 8; life++) {
    const service = await live(config)
    const clients = Array.from({ length: 4 }, () => load(service, next, picture, accepted, removed))
    await delay(200 + next() * 1800)
    const engines = programsOf(descendants(service.pid))
    await service.end('SIGKILL')
    await Promise.all(clients)
    if ((await untilGone(engines, 60_000)) === undefined) left.push(life)
  }
  t.same(left, [], 'each time its engines ended with it')
  t.ok(accepted.size > 16, `${accepted.size} conversions were accepted`)

  const service = await live(config)
  let completed = 0
  let failed = 0
  for (const [id, { fails, to }] of accepted) {
    const record = await service.finish(id)
    if (record.status === 'completed') {
      completed++
      const answer = await fetch(record.outputUrl)
      const bytes = Buffer.from(await answer.arrayBuffer())
      const magic = to === 'webp' ? 'RIFF' : 'BUST'
      if (fails || bytes.length !== record.outputSize || bytes.toString('latin1', 0, 4) !== magic) {
        t.fail(`${id}: ${bytes.length} bytes`, record)
      }
    } else {
      failed++
      // A conversion fails after three kills while it runs, and its message says so.
      if (![fails, 'INTERNAL_SERVER_ERROR'].includes(record.error.code)) t.fail(`${id} failed`, record)
    }
  }
  t.comment(`${completed} completed, ${failed} failed`)
  for (let pending = 1; pending; await delay(200)) {
    const queries = ['queued', 'processing'].map((s) => service.call('GET', `/api/conversions?status=${s}`))
    pending = (await Promise.all(queries)).flatMap(({ json }) => json.conversions).length
  }
  t.equal(await service.end('SIGTERM'), 0)

  const database = new Database(join(dataDir, 'athanor.sqlite'), { readonly: true })
  const rows = database.prepare('select * from conversions').all() as any[]
  const files = database.prepare('select * from files').all() as any[]
  const [use] = database.prepare('select conversions, bytes from quota_use').all() as any[]
  database.close()
  const wrong = rows.filter((row) => {
    const ended = row.expires_at !== null && row.attempts <= 3
    if (row.status === 'completed') return !ended || !row.output_key || row.progress !== 100 || row.error_code
    if (row.status === 'failed') return !ended || !row.error_code || !row.error_message || row.output_key
    return true
  })
  t.same(wrong, [], 'every record says how it ended')
  const known = new Set([...files.map(({ key }) => key), ...rows.flatMap(({ output_key }) => output_key ?? [])])
  const failedIds = rows.filter(({ status }) => status === 'failed').map(({ id }) => id.replace('conv_', ''))
  const stored = await storedKeys(dataDir)
  const unknown = stored.filter((key) => !known.has(key) && !failedIds.includes(key.split('/')[4]!))
  t.same(unknown, [], 'every file belongs to a record, with which it will go')
  const missing = rows.filter(({ output_key }) => output_key && !stored.includes(output_key))
  t.same(missing, [], 'every result is there')
  for (const { output_key, output_size } of rows.filter((row) => row.output_key)) {
    const { length } = await readFile(join(dataDir, 'files', output_key))
    if (length !== output_size) t.fail(`${output_key} has ${length} bytes`)
  }
  t.same(await leftovers(dataDir), [], 'no folder of a job, nothing in the bin, nothing half received')
  t.same(await sandboxes(join(dataDir, 'work')), [], 'no process')
  // Conversions that had completed when they were deleted stay charged.
  const charged = use.conversions - rows.filter(({ status }) => status === 'completed').length
  t.ok(
    charged >= 0 && charged <= removed.size,
    `${use.conversions} charged, ${completed} completed, ${removed.size} removed`,
  )
})
