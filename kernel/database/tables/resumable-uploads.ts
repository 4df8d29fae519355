import type { Database } from '../database.ts'
import { insertInto } from '../insert-into.ts'
import { NOW } from '../now.ts'
import type { Change } from '../work.ts'

/** A row of the table `resumable_uploads`: an upload in parts, which any node may receive. It stays until it expires. */
export interface ResumableRow {
  /** `<owner>/<name>` */
  id: string
  owner: string
  /** Bytes of the whole file; null: the client has not said it yet. */
  size: number | null
  /** Bytes that have arrived and are stored. */
  received: number
  /** JSON: as the client sent it. */
  metadata: string | null
  /** Plan of the owner, as it began. */
  plan: string
  /** Subjects that its bytes are charged to, separated by spaces. */
  charged_to: string
  /** Bytes charged for it. */
  reserved: number
  /** Key of the file that a node makes, or made, of it. */
  file_key: string | null
  /** JSON: what became of it; null: it goes on. */
  outcome: string | null
  /** Counts the locks. It only rises; a write under an older number has no effect. */
  fence: number
  /** Epoch milliseconds of the database's clock; 0: not locked. */
  locked_until: number
  /** Whether another request waits for the lock. */
  wanted: number
  /** Epoch milliseconds. */
  created_at: number
  expires_at: number
}

/** Milliseconds after which a lock ends that its holder does not renew. */
export const LOCKED = 10_000

/** The outcome of an upload that was given up or has expired. */
export const REMOVED = '"removed"'

const uploads = (database: Database) => database<ResumableRow>('resumable_uploads')
const raw = (database: Database, sql: string) => database.raw(sql) as never

const insert = insertInto<ResumableRow>('resumable_uploads', {
  ...{ id: true, owner: true, size: true, received: true, metadata: true, plan: true, charged_to: true },
  ...{ reserved: true, file_key: true, outcome: true, fence: true, locked_until: true, wanted: true },
  ...{ created_at: true, expires_at: true },
})

/** Records a new upload. */
export const insertResumable = (
  row: Omit<ResumableRow, 'received' | 'file_key' | 'outcome' | 'fence' | 'locked_until' | 'wanted'>,
): Change => insert({ ...row, received: 0, file_key: null, outcome: null, fence: 0, locked_until: 0, wanted: 0 })

/** Returns an upload, expired or not. Undefined also for one that was removed. */
export async function findResumable(database: Database, id: string): Promise<ResumableRow | undefined> {
  const row = await uploads(database).where({ id }).first()
  return row && row.outcome !== REMOVED ? row : undefined
}

/** Lists the ids of these owners' uploads that are not removed. */
export const listResumableOf = (database: Database, owners: readonly string[]): Promise<string[]> =>
  uploads(database)
    .whereIn('owner', owners)
    .andWhere((row) => row.whereNull('outcome').orWhereNot({ outcome: REMOVED }))
    .pluck('id')

/** Lists at most `limit` expired uploads, the oldest first, also those that were removed. @param except Ids of others. */
export const listExpiredResumable = (
  database: Database,
  now: number,
  limit: number,
  except: readonly string[],
): Promise<string[]> =>
  uploads(database)
    .where('expires_at', '<=', now)
    .whereNotIn('id', except)
    .orderBy('expires_at')
    .limit(limit)
    .pluck('id')

/** Makes all uploads of these owners expire now. Requests that work on them can write nothing any more. */
export async function expireResumableOf(database: Database, owners: readonly string[]): Promise<void> {
  await uploads(database)
    .whereIn('owner', owners)
    .update({ expires_at: 0, fence: raw(database, 'fence + 1') })
}

export async function deleteResumable(database: Database, id: string): Promise<void> {
  await uploads(database).where({ id }).delete()
}

/** The lock of an upload. */
export interface Lock {
  fence: number
  wanted: boolean
  /** Milliseconds until it ends; 0 or less: nobody holds it. */
  rest: number
}

/** Undefined: there is no such upload. */
export async function readLock(database: Database, id: string): Promise<Lock | undefined> {
  const row = await uploads(database)
    .where({ id })
    .first('fence', 'wanted', raw(database, `locked_until - ${NOW} as rest`))
  const { fence, wanted, rest } = (row ?? {}) as Record<string, unknown>
  return row && { fence: Number(fence), wanted: Boolean(wanted), rest: Number(rest) }
}

/** Takes the lock that nobody holds, and raises the fence. Resolves to false if another one was faster. */
export const takeLock = async (database: Database, id: string, fence: number): Promise<boolean> =>
  (await uploads(database)
    .where({ id, fence })
    .whereRaw(`locked_until <= ${NOW}`)
    .update({ fence: fence + 1, wanted: 0, locked_until: raw(database, `${NOW} + ${LOCKED}`) })) > 0

/** Asks the holder of the lock to release it. */
export async function wantLock(database: Database, id: string, fence: number): Promise<void> {
  await uploads(database).where({ id, fence }).update({ wanted: 1 })
}

/** Renews a lock. Resolves to false if it was taken over. */
export const renewLock = async (database: Database, id: string, fence: number): Promise<boolean> =>
  (await uploads(database)
    .where({ id, fence })
    .update({ locked_until: raw(database, `${NOW} + ${LOCKED}`) })) > 0

export async function releaseLock(database: Database, id: string, fence: number): Promise<void> {
  await uploads(database).where({ id, fence }).update({ locked_until: 0 })
}

/** Matches no row if the lock was taken over. */
export const requireFence = (id: string, fence: number): Change => ({
  sql: 'update resumable_uploads set received = received where id = ? and fence = ?',
  values: [id, fence],
})

/** Counts bytes that were stored behind the others. Matches no row if the lock was taken over. */
export const countReceived = (id: string, fence: number, from: number, bytes: number): Change => ({
  sql: 'update resumable_uploads set received = received + ? where id = ? and fence = ? and received = ?',
  values: [bytes, id, fence, from],
})

/** Counts charged bytes. Matches no row if the lock was taken over. @param size Of the whole file, if it is known now. */
export const countReserved = (id: string, fence: number, bytes: number, size: number | null): Change => ({
  sql: 'update resumable_uploads set reserved = reserved + ?, size = coalesce(?, size) where id = ? and fence = ?',
  values: [bytes, size, id, fence],
})

/** Notes the key of the file that takes over the charge. Matches no row if the lock was taken over. */
export const becomeFile = (id: string, fence: number, reserved: number, key: string): Change => ({
  sql: 'update resumable_uploads set reserved = 0, file_key = ? where id = ? and fence = ? and reserved = ?',
  values: [key, id, fence, reserved],
})

/** Records what became of an upload, and charges it nothing any more. Matches no row if the lock was taken over. */
export const settleResumable = (id: string, fence: number, reserved: number, outcome: string): Change => ({
  sql: 'update resumable_uploads set outcome = ?, reserved = 0 where id = ? and fence = ? and reserved = ?',
  values: [outcome, id, fence, reserved],
})

/** Removes an upload for clients, with the name of its file, whoever holds its lock. Matches no row if its charge has changed. */
export const withdrawResumable = (id: string, reserved: number): Change => ({
  sql:
    'update resumable_uploads set outcome = ?, metadata = null, reserved = 0, fence = fence + 1, locked_until = 0 ' +
    'where id = ? and reserved = ?',
  values: [REMOVED, id, reserved],
})
