import type { Knex } from 'knex'
import type { Database } from '../database.ts'
import { lanesAround, whereInLane } from '../lanes.ts'
import { NOW } from '../server.ts'
import type { ConversionRow } from './conversions.ts'
import { withoutLivingNode } from './nodes.ts'

/** What the queue of several nodes needs of a pending conversion, and the number by which it is ordered. */
const COLUMNS = [
  'id',
  'owner',
  'plan',
  'heavy',
  'lane',
  'attempts',
  'batch',
  'status',
  'fence',
  'node',
  'from_format',
  'to_format',
  'seq',
] as const

/** The part of a pending conversion that the queue of several nodes needs. */
export type BacklogRow = Pick<ConversionRow, Exclude<(typeof COLUMNS)[number], 'seq'>>

/** Maximum number of waiting conversions that are listed. */
const MAX_WAITING = 10_000

const conversions = (database: Database) => database<ConversionRow & { seq: number }>('conversions')

/**
 * Lists what runs and, of each lane and kind, the first waiting conversions. The order is that in which the database
 * inserted them, because the clocks of the nodes may differ. One statement: otherwise what a node claims meanwhile
 * could be missing. For MySQL and MariaDB only.
 *
 * @param max Waiting conversions of each lane and kind. @param lane Only of the widest lane around this one.
 */
export async function listBacklog(database: Database, max: number, lane?: string): Promise<BacklogRow[]> {
  const inStatus = (status: 'queued' | 'processing'): Knex.QueryBuilder => {
    const query = conversions(database).where({ status })
    return lane === undefined ? query : whereInLane(query, lane, lanesAround(lane).length - 1)
  }
  const ranked = inStatus('queued')
    .select(...COLUMNS)
    .rowNumber('place', (over) => void over.partitionBy(['lane', 'heavy']).orderBy('seq'))
  const waiting = database
    .from(ranked.as('waiting'))
    .where('place', '<=', max)
    .orderBy('seq')
    .limit(MAX_WAITING)
    .select(...COLUMNS)
  const rows: (BacklogRow & { seq: number })[] = await inStatus('processing')
    .select(...COLUMNS)
    .unionAll([waiting], true)
  return rows.sort((one, other) => one.seq - other.seq)
}

/** Lists conversions that a node claimed and did not end before its lease did. */
export const listAbandoned = (database: Database): Promise<ConversionRow[]> =>
  conversions(database).where({ status: 'processing' }).where(withoutLivingNode(database)).orderBy('id')

/** Lists conversions that a node has claimed and not ended. */
export const listProcessingOf = (database: Database, node: string): Promise<ConversionRow[]> =>
  conversions(database).where({ status: 'processing', node })

/** Lists the pairs of the waiting conversions. */
export const listQueuedPairs = async (
  database: Database,
): Promise<Pick<ConversionRow, 'from_format' | 'to_format'>[]> =>
  conversions(database).where({ status: 'queued' }).distinct('from_format', 'to_format')

/** Lists waiting conversions of a pair. */
export const listQueuedOfPair = (
  database: Database,
  pair: Pick<ConversionRow, 'from_format' | 'to_format'>,
  limit: number,
): Promise<ConversionRow[]> =>
  conversions(database)
    .where({ status: 'queued', ...pair })
    .limit(limit)

/** How many conversions of each kind wait, and for how many milliseconds the oldest one has; 0: none waits. */
export type QueuedByKind = Record<'light' | 'heavy', { waiting: number; age: number }>

/** Counts waiting conversions by kind; an index counts them and finds the first of each. For MySQL and MariaDB only. */
export async function countQueuedByKind(database: Database): Promise<QueuedByKind> {
  const queued = (conversions(database) as Knex.QueryBuilder)
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
