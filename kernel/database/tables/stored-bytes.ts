import type { Database } from '../database.ts'

/** A row of the table `stored_bytes`. */
interface StoredBytesRow {
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
 * Counts bytes for the subjects, at least one, whose limit they do not exceed, and that have a row; resolves to whether
 * that was all.
 *
 * @param before Maximum bytes that may be stored before; null: any number.
 */
export async function chargeBytes(
  transaction: Database,
  subjects: readonly string[],
  bytes: number,
  before: number | null,
): Promise<boolean> {
  const within = storedBytes(transaction).whereIn('subject', subjects)
  if (before !== null) within.andWhere('bytes', '<=', before)
  return (await within.increment('bytes', bytes)) === subjects.length
}

export async function refundBytes(transaction: Database, subjects: readonly string[], bytes: number): Promise<void> {
  await storedBytes(transaction).whereIn('subject', subjects).decrement('bytes', bytes)
}

/** Deletes the rows of those of these subjects that store nothing. */
export async function deleteEmpty(transaction: Database, subjects: readonly string[]): Promise<void> {
  await storedBytes(transaction).whereIn('subject', subjects).andWhere('bytes', '<=', 0).delete()
}
