import type { Database } from './database.ts'

/**
 * Deletes at most `limit` expired rows of a table, the oldest first; resolves to their number. Deletes rows one by one, by
 * their key, so that an upload or a sign-in never waits for a long delete.
 *
 * @param column The column with the expiry time in epoch milliseconds.
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
