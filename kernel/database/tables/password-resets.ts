import type { Database } from '../database.ts'
import { countRows } from '../rows.ts'

/** A row of the table `password_resets`: a mailed link that has not been used. */
interface PasswordReset {
  /** SHA-256 of the link's token, in hexadecimal. */
  hash: string
  user_id: string
  /** Epoch milliseconds. */
  expires_at: number
}

const resets = (database: Database) => database<PasswordReset>('password_resets')
const valid = (database: Database, hash: string, now: number) =>
  resets(database).where({ hash }).andWhere('expires_at', '>', now)

export const countValidResets = (database: Database, user_id: string, now: number): Promise<number> =>
  countRows(resets(database).where({ user_id }).andWhere('expires_at', '>', now))

export async function insertReset(database: Database, reset: PasswordReset): Promise<void> {
  await resets(database).insert(reset)
}

export const findValidReset = (database: Database, hash: string, now: number): Promise<PasswordReset | undefined> =>
  valid(database, hash, now).first()

/** Resolves to whether it existed. If a link is used twice at the same time, only one use deletes it. */
export const deleteValidReset = async (database: Database, hash: string, now: number): Promise<boolean> =>
  (await valid(database, hash, now).delete()) > 0

export async function deleteResetsOf(database: Database, user_id: string): Promise<void> {
  await resets(database).where({ user_id }).delete()
}
