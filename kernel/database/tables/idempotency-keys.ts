import type { Database } from '../database.ts'
import { now, raw } from '../server.ts'

/** A row of the table `idempotency_keys`: a key that a client sent with a request, and what the request made. */
export interface IdempotencyRow {
  /** SHA-256 of owner, operation and key, in hexadecimal. */
  id: string
  owner: string
  /** The request that works, or worked last, with the key. */
  holder: string
  /** SHA-256 of what the client sent, in hexadecimal; null: nothing was made yet. */
  fingerprint: string | null
  /** Id or storage key of what the request made; null: nothing yet. */
  record: string | null
  /** JSON: the answer; null: there is none yet. */
  answer: string | null
  /** Epoch milliseconds of the database's clock, until which no other request may use the key; 0: nobody holds it. */
  held_until: number
  /** Epoch milliseconds. */
  expires_at: number
}

/** Milliseconds after which a key is free whose holder does not renew it. */
export const HELD = 30_000

const keys = (database: Database) => database<IdempotencyRow>('idempotency_keys')
const fromNow = (database: Database) => raw(database, `${now(database)} + ${HELD}`)

/** Inserts a key that `holder` holds, unless there is one. */
export async function insertIdempotencyKey(
  database: Database,
  row: Pick<IdempotencyRow, 'id' | 'owner' | 'holder' | 'expires_at'>,
): Promise<void> {
  await keys(database)
    .insert({ ...row, held_until: fromNow(database) })
    .onConflict('id')
    .ignore()
}

/** Returns a key. `rest`: milliseconds until nobody holds it, 0 or less if so. */
export async function readIdempotencyKey(
  database: Database,
  id: string,
): Promise<(IdempotencyRow & { rest: number }) | undefined> {
  const rest = raw(database, `held_until - ${now(database)} as rest`)
  const row = await keys(database).where({ id }).first('*', rest)
  return row && { ...row, rest: Number(row.rest), expires_at: Number(row.expires_at) }
}

/** Takes a key over from an earlier holder. Resolves to false if another request was faster. */
export const takeIdempotencyKey = async (
  database: Database,
  id: string,
  from: string,
  change: Partial<IdempotencyRow> & Pick<IdempotencyRow, 'holder'>,
): Promise<boolean> =>
  (await keys(database)
    .where({ id, holder: from })
    .whereRaw(`held_until <= ${now(database)}`)
    .update({ ...change, held_until: fromNow(database) })) > 0

/** Holds a key for longer. */
export async function renewIdempotencyKey(database: Database, id: string, holder: string): Promise<void> {
  await keys(database)
    .where({ id, holder })
    .update({ held_until: fromNow(database) })
}

/** Notes what a request made, or its answer. Resolves to false if another request has taken the key over. */
export const writeIdempotencyKey = async (
  database: Database,
  id: string,
  holder: string,
  change: Partial<Pick<IdempotencyRow, 'fingerprint' | 'record' | 'answer' | 'held_until'>>,
): Promise<boolean> => (await keys(database).where({ id, holder }).update(change)) > 0

/** Removes a key with which nothing was made. Resolves to false if something was. */
export const freeIdempotencyKey = async (database: Database, id: string, holder: string): Promise<boolean> =>
  (await keys(database).where({ id, holder, record: null, answer: null }).delete()) > 0

/** Frees the keys of an earlier process of the only node. */
export async function freeAllIdempotencyKeys(database: Database): Promise<void> {
  await keys(database).where('held_until', '>', 0).update({ held_until: 0 })
}

/** Removes all keys of these owners: their answers name files. */
export async function deleteIdempotencyKeysOf(database: Database, owners: readonly string[]): Promise<void> {
  await keys(database).whereIn('owner', owners).delete()
}
