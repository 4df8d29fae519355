import type { Knex } from 'knex'
import type { Database } from '../database.ts'
import { NOW } from '../server.ts'
import type { ConversionRow } from './conversions.ts'

/** How many conversions of each kind wait, and for how many milliseconds the oldest one has; 0: none waits. */
export type QueuedByKind = Record<'light' | 'heavy', { waiting: number; age: number }>

/** Counts waiting conversions by kind; an index counts them and finds the first of each. For MySQL and MariaDB only. */
export async function countQueuedByKind(database: Database): Promise<QueuedByKind> {
  const queued = (database<ConversionRow & { seq: number }>('conversions') as Knex.QueryBuilder)
    .where({ status: 'queued' })
    .groupBy('heavy')
    .select('heavy')
    .count({ waiting: '*' })
    .min({ seq: 'seq' })
  const rows = await database
    .from(queued.as('queued'))
    .join('conversions as first', 'first.seq', 'queued.seq')
    .select('queued.heavy', 'queued.waiting')
    .select({ age: database.raw(`greatest(0, ${NOW} - first.created_at)`) })
  const of = (heavy: boolean) => {
    const row = rows.find((row) => Boolean(row.heavy) === heavy)
    return { waiting: Number(row?.waiting ?? 0), age: Number(row?.age ?? 0) }
  }
  return { light: of(false), heavy: of(true) }
}
