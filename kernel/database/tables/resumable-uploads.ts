import type { PlanName } from '../../../config/config.ts'
import type { Database } from '../database.ts'
import { now, raw } from '../server.ts'

/** A row of the table `resumable_uploads`: an upload in parts. It stays until it expires. */
export interface ResumableRow {
  /** UUID */
  id: string
  owner: string
  /** Bytes of the whole file; null: the client has not said it yet. */
  size: number | null
  /** Bytes that have arrived and are stored. */
  received: number
  /** JSON: as the client sent it. */
  metadata: string | null
  /** Plan of the owner, as it began. */
  plan: PlanName
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
const REMOVED = '"removed"'

const uploads = (database: Database) => database<ResumableRow>('resumable_uploads')

/** Records a new upload. */
export async function insertResumable(
  transaction: Database,
  row: Omit<ResumableRow, 'received' | 'file_key' | 'outcome' | 'fence' | 'locked_until' | 'wanted'>,
): Promise<void> {
  await uploads(transaction).insert({ ...row, received: 0 })
}

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

/** Lists when each of an owner's uploads expires that goes on. */
export const listUnfinished = (database: Database, owner: string, now: number): Promise<number[]> =>
  uploads(database).where({ owner, outcome: null }).andWhere('expires_at', '>', now).pluck('expires_at')

/**
 * Lists at most `limit` expired uploads, the oldest first, also those that were removed.
 * @param except Ids of others.
 */
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
    .first('fence', 'wanted', raw(database, `locked_until - ${now(database)} as rest`))
  const { fence, wanted, rest } = (row ?? {}) as Record<string, unknown>
  return row && { fence: Number(fence), wanted: Boolean(wanted), rest: Number(rest) }
}

/** Takes the lock that nobody holds, and raises the fence. Resolves to false if another one was faster. */
export const takeLock = async (database: Database, id: string, fence: number): Promise<boolean> =>
  (await uploads(database)
    .where({ id, fence })
    .whereRaw(`locked_until <= ${now(database)}`)
    .update({ fence: fence + 1, wanted: 0, locked_until: raw(database, `${now(database)} + ${LOCKED}`) })) > 0

/** Asks the holder of the lock to release it. */
export async function wantLock(database: Database, id: string, fence: number): Promise<void> {
  await uploads(database).where({ id, fence }).update({ wanted: 1 })
}

/** Renews a lock. Resolves to false if it was taken over. */
export const renewLock = async (database: Database, id: string, fence: number): Promise<boolean> =>
  (await uploads(database)
    .where({ id, fence })
    .update({ locked_until: raw(database, `${now(database)} + ${LOCKED}`) })) > 0

export async function releaseLock(database: Database, id: string, fence: number): Promise<void> {
  await uploads(database).where({ id, fence }).update({ locked_until: 0 })
}

/** Releases the locks of an earlier process of the only node. */
export async function releaseAllLocks(database: Database): Promise<void> {
  await uploads(database).where('locked_until', '>', 0).update({ locked_until: 0 })
}

/** Changes the counts of an upload. Resolves to false if the lock was taken over. */
export const countBytes = async (
  transaction: Database,
  id: string,
  fence: number,
  counts: Partial<Pick<ResumableRow, 'size' | 'received' | 'reserved'>>,
): Promise<boolean> => (await uploads(transaction).where({ id, fence }).update(counts)) > 0

/** Notes the key of the file that takes over the charge. Resolves to false if the lock was taken over. */
export const becomeFile = async (
  transaction: Database,
  id: string,
  fence: number,
  { reserved, key }: { reserved: number; key: string },
): Promise<boolean> =>
  (await uploads(transaction).where({ id, fence, reserved }).update({ reserved: 0, file_key: key })) > 0

/** Records what became of an upload, and charges it nothing any more. Resolves to false if the lock was taken over. */
export const settleResumable = async (
  transaction: Database,
  id: string,
  fence: number,
  { reserved, outcome }: { reserved: number; outcome: string },
): Promise<boolean> => (await uploads(transaction).where({ id, fence, reserved }).update({ outcome, reserved: 0 })) > 0

/**
 * Removes an upload for clients, with the name of its file, whoever holds its lock. Resolves to false if its charge has
 * changed.
 */
export async function withdrawResumable(transaction: Database, id: string, reserved: number): Promise<boolean> {
  const removed = { outcome: REMOVED, metadata: null, reserved: 0, locked_until: 0 }
  return (await uploads(transaction).where({ id, reserved }).update(removed).increment('fence')) > 0
}
