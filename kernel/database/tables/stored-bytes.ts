import type { Database } from '../database.ts'
import { isOneOf } from '../is-one-of.ts'
import type { Change } from '../work.ts'

/** A row of the table `stored_bytes`. */
export interface StoredBytesRow {
  /** An account's id, or a digest of a guest's address or fingerprint. */
  subject: string
  /** Bytes of uploads and results that are stored now. */
  bytes: number
}

const storedBytes = (database: Database) => database<StoredBytesRow>('stored_bytes')

/** Creates missing rows for the counts of bytes. Not in a transaction: see `beginDay`. */
export async function beginCounting(database: Database, subjects: readonly string[]): Promise<void> {
  const rows = subjects.map((subject) => ({ subject, bytes: 0 }))
  await storedBytes(database).insert(rows).onConflict('subject').ignore()
}

export const listStoredBytes = (database: Database, subjects: readonly string[]): Promise<StoredBytesRow[]> =>
  storedBytes(database).whereIn('subject', subjects)

/**
 * Counts bytes for these subjects, at least one. Matches only those whose limit they do not exceed, and that have a row.
 *
 * @param before Maximum bytes that may be stored before; null: any number.
 */
export const chargeBytes = (subjects: readonly string[], bytes: number, before: number | null): Change => ({
  sql: `update stored_bytes set bytes = bytes + ? where ${isOneOf(subjects)} and (? is null or bytes <= ?)`,
  values: [bytes, ...subjects, before, before],
  usual: subjects.length,
})

/** Refunds bytes to these subjects, at least one. */
export const uncountBytes = (subjects: readonly string[], bytes: number): Change => ({
  sql: `update stored_bytes set bytes = bytes - ? where ${isOneOf(subjects)}`,
  values: [bytes, ...subjects],
  usual: subjects.length,
})

/** Deletes the rows of those of these subjects, at least one, that store nothing. */
export const deleteEmpty = (subjects: readonly string[]): Change => ({
  sql: `delete from stored_bytes where ${isOneOf(subjects)} and bytes <= 0`,
  values: subjects,
})
