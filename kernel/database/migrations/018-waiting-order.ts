import type { Knex } from 'knex'

/** An index of the conversions, and its columns. */
type Index = readonly [name: string, columns: string]

const BEFORE: readonly Index[] = [
  ['conversions_by_lane_order', 'lane, status, heavy, seq'],
  ['conversions_by_status', 'status, id'],
]

const AFTER: readonly Index[] = [
  ['conversions_waiting', 'status, lane, heavy, seq'],
  ['conversions_by_attempts', 'status, attempts, seq'],
]

/**
 * Nodes find the owners with waiting conversions, and the interrupted conversions, without reading all that wait. SQLite
 * has one node, which reads neither.
 */
export const up = (knex: Knex): Promise<void> => replace(knex, BEFORE, AFTER)

export const down = (knex: Knex): Promise<void> => replace(knex, AFTER, BEFORE)

/** Is one statement, and leaves out what a start has done that was killed before it could record the migration. */
async function replace(knex: Knex, old: readonly Index[], made: readonly Index[]): Promise<void> {
  if (knex.client.config.client !== 'mysql2') return
  const [rows] = await knex.raw('show index from conversions')
  const present = new Set(rows.map((row: { Key_name: string }) => row.Key_name))
  const changes = [
    ...made.filter(([name]) => !present.has(name)).map(([name, columns]) => `add index ${name} (${columns})`),
    ...old.filter(([name]) => present.has(name)).map(([name]) => `drop index ${name}`),
  ]
  if (changes.length) await knex.raw(`alter table conversions ${changes.join(', ')}`)
}
