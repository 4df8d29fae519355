import { countRows } from '../count.ts'
import type { Database } from '../database.ts'
import { insertInto } from '../insert-into.ts'
import { inLane, inWidestLane, lanesAround, WIDER } from '../lanes.ts'
import type { Change, LastRead } from '../work.ts'
import { type ConversionRow, type NewConversion, PENDING } from './conversions.ts'

const PENDING_IN = "select count(*) from conversions where status in ('queued', 'processing') and"
const WAITING = "select count(*) from conversions where status = 'queued'"

/** What a new conversion may not exceed. */
export interface AdmissionLimits {
  /** Queued and processing conversions in its lane; null: no limit. A wider lane around it may have more: `WIDER`. */
  pendingJobs: number | null
  /** Queued conversions of all lanes. */
  capacity: number
}

/** The lane and those around it, with the limit of each. */
const lanesWithin = (lane: string, pendingJobs: number | null) =>
  lanesAround(lane).map((_, level) => ({
    ...inLane(lane, level),
    most: pendingJobs === null ? null : pendingJobs * WIDER ** level,
  }))

/** SQL that holds if one more conversion stays within the limits. */
function conditionOf(lane: string): string {
  const lanes = lanesWithin(lane, null).map(({ sql }) => `(${PENDING_IN} ${sql}) < ?`)
  return `(? is null or (${lanes.join(' and ')})) and (${WAITING}) < ?`
}

const within = (lane: string, { pendingJobs, capacity }: AdmissionLimits) => [
  pendingJobs,
  ...lanesWithin(lane, pendingJobs).flatMap(({ values, most }) => [...values, most]),
  capacity,
]

const insertWithin = (condition: string) =>
  insertInto<NewConversion>(
    'conversions',
    {
      ...{ id: true, owner: true, plan: true, status: true, progress: true, category: true },
      ...{ from_format: true, to_format: true, intent: true, options: true, source_key: true, source_size: true },
      ...{ name: true, heavy: true, attempts: true, fence: true, created_at: true, charged_to: true, batch: true },
      ...{ folder: true, source_sha256: true, lane: true },
    },
    condition,
  )

/** By their condition: there is one for a lane that is alone, and one for a lane in two wider ones. */
const inserts = new Map<string, ReturnType<typeof insertWithin>>()

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
  sql: `update admission_lock set held = held + 1 where ${conditionOf(lane)}`,
  values: within(lane, limits),
})

/**
 * Inserts a conversion. Matches no row if it would exceed a limit. It counts only pending rows, so its time does not grow
 * with the table. On a server, admissions of different lanes do not see each other until they are committed, so the lanes
 * around them can get one more for each connection.
 */
export function admitConversion(row: NewConversion, limits: AdmissionLimits): Change {
  const condition = conditionOf(row.lane)
  const insert = inserts.get(condition) ?? insertWithin(condition)
  inserts.set(condition, insert)
  return insert(row, within(row.lane, limits))
}

/** Finds two rows if a lane, with those that lie in the widest one around it, has several pending conversions; one if it has one. */
export function lookForSecond(lane: string): LastRead {
  const { sql, values } = inWidestLane(lane)
  return {
    sql: `select 1 from conversions where ${sql} and status in ('queued', 'processing') limit 2`,
    values,
    look: true,
  }
}

/** Finds a row if a conversion of these lanes waits. */
export function lookForWaiting(lane: string): LastRead {
  const { sql, values } = inWidestLane(lane)
  return { sql: `select 1 from conversions where ${sql} and status = 'queued' limit 1`, values, look: true }
}

/** Resolves to the limit that the lane, or the first one around it, has reached; undefined: none. */
export async function findFullLane(database: Database, lane: string, pendingJobs: number): Promise<number | undefined> {
  for (const { sql, values, most } of lanesWithin(lane, pendingJobs)) {
    const pending = database<ConversionRow>('conversions').whereRaw(sql, values).whereIn('status', PENDING)
    if ((await countRows(pending)) >= most!) return most!
  }
  return undefined
}

/** Counts the queued conversions of all owners. */
export const countWaiting = (database: Database): Promise<number> =>
  countRows(database<ConversionRow>('conversions').where({ status: 'queued' }))
