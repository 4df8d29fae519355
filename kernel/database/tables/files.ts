import { countRows } from '../count.ts'
import type { Database } from '../database.ts'
import { insertInto } from '../insert-into.ts'
import type { LookUp } from '../look-up.ts'
import type { Change } from '../work.ts'

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

/** Returns an upload, expired or not, from the last commit. */
export const findFile = (lookUp: LookUp, key: string): Promise<FileRow | undefined> => lookUp('files', 'key', key)

/** As `findFile`, but on the connection for writing, which sees this process's latest writes. */
export const readFileRow = (database: Database, key: string): Promise<FileRow | undefined> =>
  files(database).where({ key }).first()

export const insertFile = insertInto<FileRow>('files', {
  ...{ key: true, owner: true, name: true, mime: true, size: true, format: true, category: true },
  ...{ created_at: true, expires_at: true, charged_to: true, sha256: true },
})

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

export const deleteFile = (key: string): Change => ({ sql: 'delete from files where `key` = ?', values: [key] })

export const countFilesOf = (database: Database, owners: readonly string[]): Promise<number> =>
  countRows(files(database).whereIn('owner', owners))

/** Returns when the first of an owner's uploads expires, in epoch milliseconds; undefined: it has none. */
export async function firstFileExpiry(database: Database, owner: string): Promise<number | undefined> {
  const row = await files(database).where({ owner }).min({ at: 'expires_at' }).first()
  return row?.at == null ? undefined : Number(row.at)
}
