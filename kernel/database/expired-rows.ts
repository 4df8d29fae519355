import type { Database } from './database.ts'

const DAY = 86_400_000

/**
 * The tables whose rows expire and hold no stored bytes. `key`: of a row. `column`: a time in epoch milliseconds.
 * `kept`: milliseconds after that time.
 */
const TABLES = {
  api_keys: { key: 'id', column: 'expires_at', kept: 0 },
  audit: { key: 'id', column: 'at', kept: 400 * DAY },
  idempotency_keys: { key: 'id', column: 'expires_at', kept: 0 },
  password_resets: { key: 'hash', column: 'expires_at', kept: 0 },
  team_invitations: { key: 'id', column: 'expires_at', kept: 0 },
  webhook_deliveries: { key: 'id', column: 'expires_at', kept: 0 },
}

type ExpiringTable = keyof typeof TABLES

export const EXPIRING_TABLES = Object.keys(TABLES) as readonly ExpiringTable[]

/**
 * Deletes at most `limit` expired rows of a table, the oldest first; resolves to their number. Deletes rows one by one,
 * by their key, so that an upload or a sign-in never waits for a long delete.
 */
export async function deleteExpired(
  database: Database,
  table: ExpiringTable,
  now: number,
  limit: number,
): Promise<number> {
  const { key, column, kept } = TABLES[table]
  const expired = await database(table)
    .where(column, '<=', now - kept)
    .orderBy(column)
    .limit(limit)
    .pluck(key)
  for (const value of expired) await database(table).where(key, value).delete()
  return expired.length
}
