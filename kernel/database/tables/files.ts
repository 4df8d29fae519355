import type { Database } from '../database.ts'
import { countRows } from '../rows.ts'

/** A row of the table `files`: an upload. */
export interface FileRow {
  /** Storage key, which is the client's `fileId`. */
  key: string
  /** `guest_…`, `user_…` or `team_…`. */
  owner: string
  /** Name with extension, as shown to users. */
  name: string
  mime: string
  /** Bytes. */
  size: number
  /** Canonical extension. */
  format: string
  category: string
  /** Epoch milliseconds. */
  created_at: number
  /** Epoch milliseconds; 0: deleted, and its bytes are still to be removed. */
  expires_at: number
  /** Subjects that its bytes are charged to, separated by spaces; null: nobody. */
  charged_to: string | null
  /** SHA-256 of its bytes in hexadecimal; null: not known, as on this machine's own disk. */
  sha256: string | null
}

const files = (database: Database) => database<FileRow>('files')

/** Returns an upload, expired or not. */
export const findFile = (database: Database, key: string): Promise<FileRow | undefined> =>
  files(database).where({ key }).first()

export async function insertFile(database: Database, row: FileRow): Promise<void> {
  await files(database).insert(row)
}

/** Makes uploads of these owners expire now. */
export async function expireFilesOf(database: Database, owners: readonly string[]): Promise<void> {
  await files(database).whereIn('owner', owners).update({ expires_at: 0 })
}

/** Makes an upload expire now. */
export async function expireFile(database: Database, key: string): Promise<void> {
  await files(database).where({ key }).update({ expires_at: 0 })
}

/** Lists at most `limit` expired uploads, the oldest first. @param except Keys of others. */
export const listExpiredFiles = (
  database: Database,
  now: number,
  limit: number,
  except: readonly string[],
): Promise<FileRow[]> =>
  files(database).where('expires_at', '<=', now).whereNotIn('key', except).orderBy('expires_at').limit(limit)

/** Resolves to whether it existed. */
export const deleteFile = async (database: Database, key: string): Promise<boolean> =>
  (await files(database).where({ key }).delete()) > 0

export const countFilesOf = (database: Database, owners: readonly string[]): Promise<number> =>
  countRows(files(database).whereIn('owner', owners))

/** Returns when the first of an owner's uploads expires, in epoch milliseconds; undefined: it has none. */
export async function firstFileExpiry(database: Database, owner: string): Promise<number | undefined> {
  const row = await files(database).where({ owner }).min({ at: 'expires_at' }).first()
  return row?.at == null ? undefined : Number(row.at)
}

/** The tables that name files of the storage, and the column with the name: a key, or the id of an upload in parts. */
const STORED = { files: 'key', conversions: 'output_key', resumable_uploads: 'id' }

/** Returns those of the names of stored files that a record has. @param names At most 1,000. */
export async function recordedAmong(database: Database, names: readonly string[]): Promise<Set<string>> {
  const found = Object.entries(STORED).map(([table, column]) => database(table).whereIn(column, names).pluck(column))
  return new Set((await Promise.all(found)).flat())
}
