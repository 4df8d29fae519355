import type { Database } from '../database.ts'
import { type ConversionRow, PENDING, type Status } from './conversions.ts'
import { withoutLivingNode } from './nodes.ts'

/** The part of a pending conversion that the queue of several nodes needs. */
export type BacklogRow = Pick<
  ConversionRow,
  'id' | 'owner' | 'plan' | 'heavy' | 'lane' | 'attempts' | 'batch' | 'status' | 'fence'
>

const COLUMNS = ['id', 'owner', 'plan', 'heavy', 'lane', 'attempts', 'batch', 'status', 'fence'] as const

const conversions = (database: Database) => database<ConversionRow>('conversions')

/** Most pending conversions that one look reads. */
const MOST = 10_000

/**
 * Lists pending conversions of all lanes, or of one, in the order in which the database inserted them: the clocks of the
 * nodes may differ. For MySQL and MariaDB only.
 */
export const listBacklog = (database: Database, lane?: string): Promise<BacklogRow[]> => {
  const query = conversions(database).whereIn('status', PENDING).select(COLUMNS).limit(MOST)
  if (lane !== undefined) query.where({ lane })
  return query.orderBy('seq' as never) as never
}

/** Lists conversions that a node claimed and did not end before its lease did. */
export const listAbandoned = (database: Database): Promise<ConversionRow[]> =>
  conversions(database).where({ status: 'processing' }).where(withoutLivingNode(database)).orderBy('id')

/** Of these conversions, lists those that a node with this id may still run. */
export const listClaimedBy = (database: Database, node: string, ids: readonly string[]): Promise<string[]> =>
  conversions(database).where({ node }).whereIn('status', PENDING).whereIn('id', ids).pluck('id')

/** Counts waiting conversions by kind. */
export async function countQueuedByKind(database: Database): Promise<{ light: number; heavy: number }> {
  const rows = (await conversions(database)
    .where({ status: 'queued' satisfies Status })
    .groupBy('heavy')
    .select('heavy')
    .count({ number: '*' })) as { heavy: number; number: number }[]
  const of = (heavy: boolean) => Number(rows.find((row) => Boolean(row.heavy) === heavy)?.number ?? 0)
  return { light: of(false), heavy: of(true) }
}
