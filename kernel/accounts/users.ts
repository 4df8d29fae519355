import type { Knex } from 'knex'
import type { PlanName } from '../../config/config.ts'
import type { Database } from '../database/database.ts'
import { isDuplicate } from '../database/duplicate.ts'
import { newId } from '../database/ids.ts'
import type { LookUp } from '../database/look-up.ts'
import { ServiceError } from '../errors.ts'
import { canonicalEmail } from './email.ts'

/** Plans that an account can have. */
export const ACCOUNT_PLANS = ['free', 'pro', 'business'] as const satisfies readonly PlanName[]
export type AccountPlan = (typeof ACCOUNT_PLANS)[number]

export const USER_STATUSES = ['active', 'suspended'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

/** A row of the table `users`. */
export interface User {
  /** `user_…` */
  id: string
  /** In lower case. */
  email: string
  name: string | null
  plan: AccountPlan
  status: UserStatus
  /** PHC string; null: no password. */
  password_hash: string | null
  /** Whether the address is known to be the user's. */
  verified: boolean | number
  session_version: number
  /** Epoch milliseconds. */
  created_at: number
}

/** What makes a user. */
export type NewUser = Pick<User, 'email' | 'name' | 'plan' | 'password_hash' | 'verified'>

export interface Users {
  byId(id: string): Promise<User | undefined>
  byEmail(email: string): Promise<User | undefined>
  /** @throws ServiceError EMAIL_TAKEN. */
  create(user: NewUser): Promise<User>
  /** Changes some fields; resolves to whether there is such a user. */
  change(id: string, fields: Partial<Omit<User, 'id'>>): Promise<boolean>
  /** Sets the password, and ends every session. */
  setPassword(id: string, hash: string | null, fields?: Partial<User>): Promise<void>
  /** All users by their time of creation, in pages. */
  list(): AsyncGenerator<User>
}

/** Users listed at one time. */
const PAGE = 500

/** The users of the service. */
export function createUsers(database: Database, lookUp: LookUp): Users {
  const table = () => database<User>('users')
  return {
    byId: (id) => lookUp('users', 'id', id),
    byEmail: (email) => lookUp('users', 'email', canonicalEmail(email)),

    async create(fields) {
      const user: User = {
        ...fields,
        id: newId('user_'),
        email: canonicalEmail(fields.email),
        status: 'active',
        session_version: 1,
        created_at: Date.now(),
      }
      try {
        await table().insert(user)
      } catch (cause) {
        if (!isDuplicate(cause)) throw cause
        throw new ServiceError(
          'EMAIL_TAKEN',
          'There is an account with this email already; sign in, or reset its password',
        )
      }
      return user
    },

    change: async (id, fields) => (await table().where({ id }).update(fields)) > 0,

    setPassword: (id, hash, fields) => setPassword(database, id, hash, fields),

    async *list() {
      for (let last = ''; ; ) {
        const page = await table().where('id', '>', last).orderBy('id').limit(PAGE)
        yield* page
        if (page.length < PAGE) return
        last = page.at(-1)!.id
      }
    },
  }
}

/** Sets the password, or takes it away, and ends every session. */
export async function setPassword(
  database: Knex,
  id: string,
  password_hash: string | null,
  fields: Partial<User> = {},
): Promise<void> {
  await database<User>('users')
    .where({ id })
    .update({ ...fields, password_hash, session_version: database.raw('session_version + 1') as never })
}
