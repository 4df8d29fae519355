import type { Database } from '../database.ts'
import type { Change } from '../transact.ts'

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
 * Counts bytes. Matches no row if they would exceed the limit, or if the subject has no row yet.
 *
 * @param before Maximum bytes that may be stored before; null: any number.
 */
export const chargeBytes = (subject: string, bytes: number, before: number | null): Change => ({
  sql: 'update stored_bytes set bytes = bytes + ? where subject = ? and (? is null or bytes <= ?)',
  values: [bytes, subject, before, before],
})

/** Refunds bytes. */
export const uncountBytes = (subject: string, bytes: number): Change => ({
  sql: 'update stored_bytes set bytes = bytes - ? where subject = ?',
  values: [bytes, subject],
})

/** Deletes the row of a subject that stores nothing. */
export const deleteIfEmpty = (subject: string): Change => ({
  sql: 'delete from stored_bytes where subject = ? and bytes <= 0',
  values: [subject],
})
