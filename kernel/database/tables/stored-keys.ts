import type { Database } from '../database.ts'

/** The tables that name files of the storage, and the column with the key. */
const NAMES = { files: 'key', conversions: 'output_key', resumable_pieces: 'key' }

/** Returns those of the keys that a record names. @param keys At most 1,000. */
export async function recordedAmong(database: Database, keys: readonly string[]): Promise<Set<string>> {
  const found = Object.entries(NAMES).map(([table, column]) => database(table).whereIn(column, keys).pluck(column))
  return new Set((await Promise.all(found)).flat())
}
