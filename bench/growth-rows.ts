import type { Database } from '../kernel/database/database.ts'

const CHUNK = 10_000
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** What a conversion that one engine ran leaves in its trail. */
const RUNS = JSON.stringify([
  { engine: 'sharp', version: '0.35.5', args: ['in/picture.png', 'out/picture.jpg', 'x'.repeat(200)], code: 0 },
])

/** The keys of the stored files of the rows that `fill` adds. */
export function* keysOf(count: number): Generator<string> {
  for (let n = 0; n < count; n++) {
    const number = `${n}`.padStart(8, '0')
    yield `uploads/2026/11/23/${number}/picture.png`
    yield `outputs/2026/11/23/${number}/picture.jpg`
  }
}

/**
 * Adds `count` ended conversions, each with its upload and its trail, and what their owners have used: one owner has 60
 * and a hundredth of them, each of the others 20. They live for hours.
 */
export async function fill(database: Database, count: number): Promise<void> {
  const sqlite = database.client.config.client !== 'mysql2'
  const digits = Array.from({ length: 10 }, (_, digit) => `select ${digit} as d`).join(' union all ')
  const numbers = `select a.d + 10 * b.d + 100 * c.d + 1000 * e.d + cast(? as ${sqlite ? 'integer' : 'signed'}) as n from (${digits}) a, (${digits}) b, (${digits}) c, (${digits}) e`
  const join = (...parts: string[]) => (sqlite ? parts.join(' || ') : `concat(${parts.join(', ')})`)
  const padded = sqlite ? "printf('%08d', n)" : "lpad(n, 8, '0')"
  const owner = `case when n % 100 = 0 or n < 60 then 'user_of_many' else ${join("'user_'", sqlite ? '(n / 20)' : 'n div 20')} end`
  const now = Date.now()
  const times = { created_at: `${now} - n`, expires_at: `${now + 12 * HOUR} + n` }
  const id = join("'conv_0'", padded)
  const source = join("'uploads/2026/11/23/'", padded, "'/picture.png'")
  const tables = {
    files: {
      '`key`': source,
      owner,
      name: "'picture.png'",
      mime: "'image/png'",
      size: '1000000',
      format: "'png'",
      category: "'image'",
      charged_to: owner,
      ...times,
    },
    conversions: {
      id,
      owner,
      lane: owner,
      plan: "'free'",
      status: "case when n % 20 = 0 then 'failed' else 'completed' end",
      progress: '100',
      category: "'image'",
      from_format: "'png'",
      to_format: "'jpg'",
      intent: "'convert'",
      options: "'{}'",
      source_key: source,
      source_size: '1000000',
      name: "'picture'",
      heavy: '0',
      attempts: '1',
      fence: '1',
      completed_at: `${now} - n`,
      charged_to: owner,
      ...times,
      output_key: join("'outputs/2026/11/23/'", padded, "'/picture.jpg'"),
      output_size: '100000',
      output_mime: "'image/jpeg'",
      output_extension: "'jpg'",
    },
    trails: { conversion: id, runs: `'${RUNS}'` },
  }
  for (const [table, columns] of Object.entries(tables)) {
    const sql = `insert into ${table} (${Object.keys(columns).join(', ')}) select ${Object.values(columns).join(', ')} from (${numbers}) numbers where n < ?`
    for (let first = 0; first < count; first += CHUNK) await database.raw(sql, [first, count])
  }
  const used = (columns: string) => `select owner, ${columns} from conversions group by owner`
  await database.raw(
    `insert into quota_use (subject, day, conversions, bytes) ${used(`${Math.floor(now / DAY)}, count(*), sum(source_size)`)}`,
  )
  await database.raw(`insert into stored_bytes (subject, bytes) ${used('count(*) * 1100000')}`)
  // MariaDB does so by itself after a while. The service never does it for SQLite.
  if (!sqlite) await database.raw('analyze table conversions, files, trails, quota_use, stored_bytes')
}
