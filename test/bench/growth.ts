import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, openDatabase, type Place } from '../../kernel/database/database.ts'
import { listBacklog } from '../../kernel/database/tables/backlog.ts'
import { admitConversion } from '../../kernel/database/tables/conversion-admission.ts'
import { claimConversion, endConversion } from '../../kernel/database/tables/conversion-claims.ts'
import {
  deleteConversion,
  listExpiredConversions,
  type NewConversion,
} from '../../kernel/database/tables/conversions.ts'
import { listConversions } from '../../kernel/database/tables/shown-conversions.ts'
import { createTransact } from '../../kernel/database/transact.ts'
import { startMariaDb } from '../services/mariadb.ts'
import type { Goal } from './report.ts'
import { startService } from './service.ts'

const SIZES = [100, 10_000, 1_000_000]
const CHUNK = 10_000
const HOUR = 3_600_000
/** How much more a step may cost in a large table than in a small one. */
const FLAT = 1.5
const [SMALL, LARGE] = [0, SIZES.length - 1]

/** The costs of one conversion and of a start, with few and with many stored conversions. */
export async function benchGrowth({ folder, goals }: { folder: string; goals: Goal[] }): Promise<void> {
  await grow('SQLite', { url: undefined, dataDir: join(await mkdtemp(join(folder, 'grown-')), 'data') }, goals)
  await using server = await startMariaDb()
  const dataDir = join(await mkdtemp(join(folder, 'grown-')), 'data')
  await grow('MariaDB', { url: await server.create('growth'), dataDir }, goals)
}

async function grow(name: string, place: Place, goals: Goal[]): Promise<void> {
  // The first start makes the schema, and asks the engines for their versions.
  await startedIn(place)
  const costs: Record<string, number[]>[] = []
  let stored = 0
  for (const size of SIZES) {
    const database = await openDatabase(place)
    await fill(database, stored, size)
    stored = size
    costs.push(await measure(database, place.url !== undefined))
    await database.destroy()
    const starts = [await startedIn(place), await startedIn(place)]
    goals.push({
      name: `${name}, ${size} stored: start of the service to ready`,
      unit: 'ms',
      ours: starts,
      atMost: 2000,
    })
  }
  for (const [step, ours] of Object.entries(costs[LARGE]!)) {
    const bare = costs[SMALL]![step]!
    goals.push({
      name: `${name}, ${step}: ${SIZES[LARGE]} stored against ${SIZES[SMALL]}`,
      unit: 'ms',
      ours,
      bare,
      atMost: FLAT,
    })
  }
}

/** Milliseconds. */
async function startedIn({ url, dataDir }: Place): Promise<number> {
  const began = performance.now()
  const service = await startService(join(dataDir, '..'), url === undefined ? {} : { DATABASE_URL: url })
  const took = performance.now() - began
  await service.stop()
  return took
}

/** Adds ended conversions: one owner has 60 and a hundredth of them, each of the others 20. */
async function fill(database: Database, from: number, to: number): Promise<void> {
  const digits = Array.from({ length: 10 }, (_, digit) => `select ${digit} as d`).join(' union all ')
  const sqlite = database.client.config.client !== 'mysql2'
  const numbers = `select a.d + 10 * b.d + 100 * c.d + 1000 * e.d + cast(? as ${sqlite ? 'integer' : 'signed'}) as n from (${digits}) a, (${digits}) b, (${digits}) c, (${digits}) e`
  const join = (...parts: string[]) => (sqlite ? parts.join(' || ') : `concat(${parts.join(', ')})`)
  const padded = sqlite ? "printf('%08d', n)" : "lpad(n, 8, '0')"
  const owner = `case when n % 100 = 0 or n < 60 then 'user_of_many' else ${join("'user_'", sqlite ? 'n / 20' : 'n div 20')} end`
  const now = Date.now()
  const columns = {
    id: join("'conv_0'", padded),
    ...{ owner, lane: owner, plan: "'free'", status: "case when n % 20 = 0 then 'failed' else 'completed' end" },
    ...{ progress: '100', category: "'image'", from_format: "'png'", to_format: "'jpg'", intent: "'convert'" },
    ...{ options: "'{}'", source_key: join("'uploads/2026/11/23/'", padded, "'/picture.png'"), source_size: '1000000' },
    ...{ name: "'picture'", heavy: '0', attempts: '1', fence: '1', created_at: `${now} - n` },
    ...{ completed_at: `${now} - n`, expires_at: `${now + 12 * HOUR} + n`, charged_to: owner },
    output_key: join("'outputs/2026/11/23/'", padded, "'/picture.jpg'"),
    ...{ output_size: '100000', output_mime: "'image/jpeg'", output_extension: "'jpg'" },
  }
  const sql = `insert into conversions (${Object.keys(columns).join(', ')}) select ${Object.values(columns).join(', ')} from (${numbers}) numbers where n < ?`
  for (let first = from; first < to; first += CHUNK) await database.raw(sql, [first, to])
}

/** Milliseconds of each step, several times. */
async function measure(database: Database, shared: boolean): Promise<Record<string, number[]>> {
  const transact = createTransact(database)
  const costs: Record<string, number[]> = {}
  const time = async (step: string, run: () => Promise<unknown>) => {
    const began = performance.now()
    await run()
    ;(costs[step] ??= []).push(performance.now() - began)
  }
  const owners = ['user_of_many', 'user_3']
  for (let job = 0; job < 600; job++) {
    const row = newConversion(job)
    await time('start', () =>
      transact(function* () {
        yield admitConversion(row, { pendingJobs: 5, capacity: 1000 })
      }),
    )
    await time('claim', () => claimConversion(database, row.id))
    const ending = { status: 'failed', error_code: 'CANCELLED', error_message: 'x' } as const
    await time('end', () =>
      transact(function* () {
        yield endConversion(row.id, { statuses: ['processing'], fence: 1 }, ending, 1)
      }),
    )
    const page = { limit: 51, now: Date.now() }
    await time('first page of the list', () => listConversions(database, ['user_of_many'], page))
    await time('page of the list of two owners', () => listConversions(database, owners, page))
    const failed = { ...page, status: 'failed' } as const
    await time('failed ones of two owners', () => listConversions(database, owners, failed))
    await time('later page of the list', () => listConversions(database, owners, { ...page, before: 'conv_000000050' }))
    if (shared) await time('backlog', () => listBacklog(database, { most: 8 }))
  }
  for (let left = 5; left > 0; left--)
    await time('sweep of 100', async () => {
      const rows = await listExpiredConversions(database, Date.now(), 100, [])
      for (const { id } of rows)
        await transact(function* () {
          yield deleteConversion(id)
        })
    })
  return costs
}

const newConversion = (number: number): NewConversion => ({
  ...{
    id: `conv_9${Date.now()}_${number}`,
    owner: 'user_3',
    lane: 'user_3',
    plan: 'free',
    status: 'queued',
    progress: 0,
  },
  ...{ category: 'image', from_format: 'png', to_format: 'jpg', intent: 'convert', options: '{}', source_key: 'x' },
  ...{ source_size: 1, source_sha256: null, name: 'x', heavy: 0, attempts: 0, fence: 0, created_at: Date.now() },
  ...{ charged_to: null, batch: null, folder: null },
})
