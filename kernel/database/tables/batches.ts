import type { Database } from '../database.ts'
import { type ConversionRow, listConversionsWithIds, PENDING } from './conversions.ts'

/** A row of the table `batches`. Deleted conversions still count. */
export interface BatchRow {
  /** `batch_…` */
  id: string
  owner: string
  /** Number of accepted conversions. */
  total: number
  completed: number
  failed: number
  /** Epoch milliseconds. */
  created_at: number
  /** Epoch milliseconds. Until all its conversions have ended, a batch does not expire. */
  expires_at: number
  /** Ids of conversions that ended before the batch was made, separated by spaces; null: it started its conversions. */
  chosen: string | null
  /** Whether its request is still accepting conversions: until then, none is the last one. */
  starting: number
}

const batches = (database: Database) => database<BatchRow>('batches')

export async function insertBatch(database: Database, row: BatchRow): Promise<void> {
  await batches(database).insert(row)
}

/** Counts an accepted conversion. */
export async function countAccepted(transaction: Database, id: string): Promise<void> {
  await batches(transaction).where({ id }).increment('total')
}

/** Counts an ended conversion. @param expires_at When the batch can expire, in epoch milliseconds. */
export async function countEnded(
  transaction: Database,
  id: string,
  status: 'completed' | 'failed',
  expires_at: number,
): Promise<void> {
  await batches(transaction).where({ id }).update({ expires_at }).increment(status)
}

/**
 * Returns a batch with the records of its conversions: the oldest first, or as they were chosen. One statement, so that
 * counts and records match; chosen conversions have ended already.
 */
export async function readBatch(
  database: Database,
  id: string,
): Promise<{ batch: BatchRow; conversions: ConversionRow[] } | undefined> {
  const rows = await database('batches')
    .leftJoin('conversions', 'conversions.batch', 'batches.id')
    .where('batches.id', id)
    .orderBy('conversions.id')
    .select(
      'conversions.*',
      'batches.total',
      'batches.completed',
      'batches.failed',
      'batches.chosen',
      'batches.starting',
    )
    .select({ whose: 'batches.owner', made: 'batches.created_at', until: 'batches.expires_at' })
  const [first] = rows
  if (!first) return undefined
  const { total, completed, failed, chosen, starting, whose: owner } = first
  const times = { created_at: Number(first.made), expires_at: Number(first.until) }
  const batch = { id, owner, total, completed, failed, chosen, starting, ...times }
  if (chosen) return { batch, conversions: await listConversionsWithIds(database, chosen.split(' ')) }
  // A batch without conversions is one row of nulls.
  return { batch, conversions: rows.filter((row) => row.id) }
}

/** The pending conversions of a batch, in sums. */
export interface PendingCounts {
  pending: number
  /** Those of them that are queued. */
  queued: number
  /** The sum of their progress. */
  progress: number
}

/** Returns a batch with sums about its pending conversions. One statement, so that counts and sums match. */
export async function readBatchCounts(database: Database, id: string): Promise<(BatchRow & PendingCounts) | undefined> {
  const row = await database('batches')
    .leftJoin('conversions', (join) => {
      join.on('conversions.batch', 'batches.id').onIn('conversions.status', PENDING)
    })
    .where('batches.id', id)
    .groupBy('batches.id')
    .select('batches.*')
    .select({
      pending: database.raw('count(conversions.id)'),
      queued: database.raw("coalesce(sum(conversions.status = 'queued'), 0)"),
      progress: database.raw('coalesce(sum(conversions.progress), 0)'),
    })
    .first()
  if (!row) return undefined
  const numbers = ['created_at', 'expires_at', 'pending', 'queued', 'progress'].map((key) => [key, Number(row[key])])
  return { ...row, ...Object.fromEntries(numbers) }
}

/** Returns a batch, and keeps other transactions from counting in it until this one ends. */
export const lockBatch = (transaction: Database, id: string): Promise<BatchRow | undefined> =>
  batches(transaction).where({ id }).forUpdate().first()

/** Notes that the request of a batch has accepted all its conversions. */
export async function noteStarted(transaction: Database, id: string): Promise<void> {
  await batches(transaction).where({ id }).update({ starting: 0 })
}

/** Lists at most `limit` batches whose request was interrupted. @param before Epoch milliseconds. */
export const listInterrupted = (database: Database, before: number, limit: number): Promise<string[]> =>
  batches(database).where({ starting: 1 }).andWhere('created_at', '<', before).limit(limit).pluck('id')

/** Counts all conversions of these owners' batches as ended: those that have not completed have failed. */
export async function endBatchesOf(database: Database, owners: readonly string[]): Promise<void> {
  await batches(database)
    .whereIn('owner', owners)
    .update({ failed: database.raw('total - completed') as never })
}

export async function deleteBatch(database: Database, id: string): Promise<void> {
  await batches(database).where({ id }).delete()
}

/** Makes batches of these owners expire now. */
export async function expireBatchesOf(database: Database, owners: readonly string[]): Promise<void> {
  await batches(database).whereIn('owner', owners).update({ expires_at: 0 })
}

/** Deletes at most `limit` ended and expired batches; resolves to their number. */
export async function deleteExpiredBatches(database: Database, now: number, limit: number): Promise<number> {
  const ids: string[] = await batches(database)
    .where('expires_at', '<=', now)
    .andWhereRaw('completed + failed >= total')
    .orderBy('expires_at')
    .limit(limit)
    .pluck('id')
  await batches(database).whereIn('id', ids).delete()
  return ids.length
}
