import type { PlanName } from '../../../config/config.ts'
import type { Database } from '../database.ts'

/** Plans that an account can have. */
export const ACCOUNT_PLANS = ['free', 'pro', 'business'] as const satisfies readonly PlanName[]
export type AccountPlan = (typeof ACCOUNT_PLANS)[number]

/** Suspended accounts are refused everywhere. */
export const USER_STATUSES = ['active', 'suspended'] as const
type UserStatus = (typeof USER_STATUSES)[number]

/** A row of the table `users`. */
export interface User {
  /** `user_…` */
  id: string
  /** Lower case, ASCII. */
  email: string
  name: string | null
  plan: AccountPlan
  status: UserStatus
  /** PHC string; null: no password. */
  password_hash: string | null
  /**
   * Whether the address is known to belong to the user, through a mail, a provider or an administrator. Read as 0 or 1.
   */
  verified: boolean | number
  /** Session tokens contain it. Incrementing it ends all sessions. */
  session_version: number
  /** Epoch milliseconds. */
  created_at: number
}

export const findUser = (database: Database, id: string): Promise<User | undefined> =>
  database<User>('users').where({ id }).first()

/** @param email In lower case. */
export const findUserByEmail = (database: Database, email: string): Promise<User | undefined> =>
  database<User>('users').where({ email }).first()

/** If the address is taken, rejects with an error that `isDuplicate` recognises. */
export async function insertUser(database: Database, user: User): Promise<void> {
  await database<User>('users').insert(user)
}

/** Resolves to whether the user exists. */
export const updateUser = async (database: Database, id: string, fields: Partial<Omit<User, 'id'>>): Promise<boolean> =>
  (await database<User>('users').where({ id }).update(fields)) > 0

/**
 * Changes the password, or removes it with null, and ends all sessions. Resolves to whether the user was found.
 *
 * With `session_version`, only that of a user whose sessions have not ended since.
 */
export async function updatePassword(
  database: Database,
  { id, session_version: known }: Pick<User, 'id'> & Partial<Pick<User, 'session_version'>>,
  password_hash: string | null,
  fields: Partial<Omit<User, 'id'>> = {},
): Promise<boolean> {
  const session_version = database.raw('session_version + 1') as never
  const user = database<User>('users').where({ id })
  if (known !== undefined) user.andWhere({ session_version: known })
  return (await user.update({ ...fields, password_hash, session_version })) > 0
}

/** Locks and returns the row until the transaction ends. Undefined: there is no such user. */
export const lockUser = (transaction: Database, id: string): Promise<User | undefined> =>
  transaction<User>('users').where({ id }).forUpdate().first()

/** Lists users by id, which sorts by time: the next ones after `last`. */
export const listUsers = (database: Database, { last, limit }: { last: string; limit: number }): Promise<User[]> =>
  database<User>('users').where('id', '>', last).orderBy('id').limit(limit)

export async function deleteUser(database: Database, id: string): Promise<void> {
  await database<User>('users').where({ id }).delete()
}
