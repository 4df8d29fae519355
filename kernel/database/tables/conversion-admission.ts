import { countRows } from '../count.ts'
import type { Database } from '../database.ts'
import { insertInto } from '../insert-into.ts'
import type { Change, LastRead } from '../work.ts'
import { type ConversionRow, type NewConversion, PENDING } from './conversions.ts'

const PENDING_IN_LANE = "select count(*) from conversions where lane = ? and status in ('queued', 'processing')"
const WAITING = "select count(*) from conversions where status = 'queued'"

/** Whether one more conversion stays within the limits. */
const WITHIN = `(? is null or (${PENDING_IN_LANE}) < ?) and (${WAITING}) < ?`

/** What a new conversion may not exceed. */
export interface AdmissionLimits {
  /** Queued and processing conversions in its lane; null: no limit. */
  pendingJobs: number | null
  /** Queued conversions of all lanes. */
  capacity: number
}

const within = (lane: string, { pendingJobs, capacity }: AdmissionLimits) => [pendingJobs, lane, pendingJobs, capacity]

const insertWithin = insertInto<NewConversion>(
  'conversions',
  {
    ...{ id: true, owner: true, plan: true, status: true, progress: true, category: true },
    ...{ from_format: true, to_format: true, intent: true, options: true, source_key: true, source_size: true },
    ...{ name: true, heavy: true, attempts: true, fence: true, created_at: true, charged_to: true, batch: true },
    ...{ folder: true, source_sha256: true, lane: true },
  },
  WITHIN,
)

/**
 * Conversions that all nodes admit in the same moment, at most: 25 nodes with 8 connections each. On MariaDB, transactions of
 * different lanes do not see each other. So within this distance of the capacity, they take turns, by `lockAdmission`. One
 * whose commit hangs while so many others are admitted is not counted by these.
 */
export const ADMITTED_AT_ONCE = 200

/**
 * Makes the transaction wait until no other one that has called this is open. Matches no row, and does not wait, if one more
 * conversion would exceed a limit: a client beyond its own limit delays nobody.
 */
export const lockAdmission = (lane: string, limits: AdmissionLimits): Change => ({
  // Without a condition on the key: then the server reads the committed row first, and waits for the lock only if that matches.
  sql: `update admission_lock set held = held + 1 where ${WITHIN}`,
  values: within(lane, limits),
})

/**
 * Inserts a conversion. Matches no row if it would exceed a limit. It counts only pending rows, so its time does not grow
 * with the table.
 */
export const admitConversion = (row: NewConversion, limits: AdmissionLimits): Change =>
  insertWithin(row, within(row.lane, limits))

/** Finds two rows if a lane has several pending conversions, one if it has one. */
export const lookForSecond = (lane: string): LastRead => ({
  sql: "select 1 from conversions where lane = ? and status in ('queued', 'processing') limit 2",
  values: [lane],
  look: true,
})

/** Finds a row if a conversion of a lane waits. */
export const lookForWaiting = (lane: string): LastRead => ({
  sql: "select 1 from conversions where lane = ? and status = 'queued' limit 1",
  values: [lane],
  look: true,
})

/** Counts the conversions of a lane that are queued or processing. */
export const countPendingInLane = (database: Database, lane: string): Promise<number> =>
  countRows(database<ConversionRow>('conversions').where({ lane }).whereIn('status', PENDING))

/** Counts the queued conversions of all owners. */
export const countWaiting = (database: Database): Promise<number> =>
  countRows(database<ConversionRow>('conversions').where({ status: 'queued' }))
