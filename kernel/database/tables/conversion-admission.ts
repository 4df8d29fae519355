import type { Database } from '../database.ts'
import { lanesAround, WIDER, whereInLane } from '../lanes.ts'
import { countRows } from '../rows.ts'
import { type ConversionRow, type NewConversion, PENDING } from './conversions.ts'

/** What a new conversion may not exceed. */
interface AdmissionLimits {
  /** Queued and processing conversions in its lane; null: no limit. A wider lane around it may have more: `WIDER`. */
  pendingJobs: number | null
  /** Queued conversions of all lanes. */
  capacity: number
}

/**
 * Conversions that all nodes admit in the same moment, at most: 25 nodes with 8 connections each. On MariaDB,
 * transactions of different lanes do not see each other. So within this distance of the capacity, they take turns. One
 * whose commit hangs while so many others are admitted is not counted by these.
 */
const ADMITTED_AT_ONCE = 200

const conversions = (database: Database) => database<ConversionRow>('conversions')

/**
 * Inserts a conversion, in a transaction that has locked the lane of its payer: otherwise two could be counted at the
 * same time. Resolves to the limit that it would exceed; then it is not inserted. It counts only pending rows, so its
 * time does not grow with the table. On a server, admissions of different lanes do not see each other until they are
 * committed, so the lanes around them can get one more for each connection.
 */
export async function admitConversion(
  transaction: Database,
  row: NewConversion,
  { pendingJobs, capacity }: AdmissionLimits,
): Promise<{ limit: keyof AdmissionLimits; max: number } | undefined> {
  const full = pendingJobs === null ? undefined : await findFullLane(transaction, row.lane, pendingJobs)
  if (full !== undefined) return { limit: 'pendingJobs', max: full }
  let waiting = await countWaiting(transaction)
  if (waiting < capacity && waiting >= capacity - ADMITTED_AT_ONCE) {
    // Until this transaction ends, no other one gets here.
    await transaction('admission_lock').where({ id: 1 }).forUpdate().first()
    waiting = await countWaiting(transaction)
  }
  if (waiting >= capacity) return { limit: 'capacity', max: capacity }
  await transaction<NewConversion>('conversions').insert(row)
  return undefined
}

/** Resolves to the limit that a lane, or the first one around it, has reached; undefined: none. */
export async function findFullLane(database: Database, lane: string, pendingJobs: number): Promise<number | undefined> {
  for (const level of lanesAround(lane).keys()) {
    const max = pendingJobs * WIDER ** level
    const pending = whereInLane(conversions(database), lane, level).whereIn('status', PENDING)
    if ((await countRows(pending)) >= max) return max
  }
  return undefined
}

/** Counts the queued conversions of all owners. */
export const countWaiting = (database: Database): Promise<number> =>
  countRows(conversions(database).where({ status: 'queued' }))
