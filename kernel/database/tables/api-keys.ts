import type { Knex } from 'knex'
import type { Database } from '../database.ts'
import { countRows } from '../rows.ts'

/** A row of the table `api_keys`. Times are epoch milliseconds. */
export interface ApiKey {
  /** `key_…`; ids sort by time. */
  id: string
  user_id: string
  name: string
  /** The first characters of the key, to recognise it. */
  prefix: string
  /** SHA-256 of the whole key, in hexadecimal. */
  hash: string
  created_at: number
  /** Precise to a minute. Null: never used. */
  last_used_at: number | null
  /** Null: it does not expire. */
  expires_at: number | null
}

const keysOf = (database: Database, user_id: string) => database<ApiKey>('api_keys').where({ user_id })

const isActive = (now: number) => (either: Knex.QueryBuilder) =>
  either.whereNull('expires_at').orWhere('expires_at', '>', now)

/** Returns the key with this hash, expired or not. */
export const findKeyByHash = (database: Database, hash: string): Promise<ApiKey | undefined> =>
  database<ApiKey>('api_keys').where({ hash }).first()

/** Lists a user's keys that have not expired, oldest first. */
export const listActiveKeys = (database: Database, user_id: string, now: number): Promise<ApiKey[]> =>
  keysOf(database, user_id).andWhere(isActive(now)).orderBy('id')

/** Lists all keys of a user, oldest first. */
export const listKeysOf = (database: Database, user_id: string): Promise<ApiKey[]> =>
  keysOf(database, user_id).orderBy('id')

/** Counts a user's keys that have not expired. @param before Only keys older than this id. */
export function countActiveKeys(
  database: Database,
  { user_id, now, before }: { user_id: string; now: number; before?: string },
): Promise<number> {
  const active = keysOf(database, user_id).andWhere(isActive(now))
  return countRows(before === undefined ? active : active.andWhere('id', '<', before))
}

export async function insertKey(database: Database, key: ApiKey): Promise<void> {
  await database<ApiKey>('api_keys').insert(key)
}

export async function noteKeyUse(database: Database, id: string, last_used_at: number): Promise<void> {
  await database<ApiKey>('api_keys').where({ id }).update({ last_used_at })
}

/** Resolves to whether the user had such a key. */
export const deleteKey = async (database: Database, user_id: string, id: string): Promise<boolean> =>
  (await keysOf(database, user_id).andWhere({ id }).delete()) > 0

export async function deleteKeysOf(database: Database, user_id: string): Promise<void> {
  await keysOf(database, user_id).delete()
}

export const countKeys = (database: Database, user_id: string): Promise<number> => countRows(keysOf(database, user_id))
