import type { Database } from './database.ts'

/**
 * Deletes at most `limit` rows of a table whose time has come, the oldest first; resolves to their number. One by one, by
 * their key: an upload or a sign-in never waits for a long delete.
 *
 * @param column Holds the time, in epoch milliseconds, at or before which a row goes.
 */
export async function deleteExpired(
  database: Database,
  { table, key, column = 'expires_at' }: { table: string; key: string; column?: string },
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  const expired = await database(table).where(column, '<=', now).orderBy(column).limit(limit).pluck(key)
  for (const value of expired) await database(table).where(key, value).delete()
  return expired.length
}
