import type { User } from '../../database/tables/users.ts'
import { transact } from '../../database/transact.ts'
import { ServiceError } from '../../errors.ts'
import type { PeopleNeeds } from '../needs.ts'
import { proveAddress } from '../unproven.ts'
import { isEmail, type Users } from '../users.ts'

/**
 * Resolves to the account of an email address for which a trusted proxy vouches.
 *
 * @throws ServiceError UNAUTHORIZED for what is not an address, FORBIDDEN if it has no account and gets none.
 */
export type FindVouched = (email: string) => Promise<User>

/** Sign-in by a header of a trusted proxy, with each request: there is no session. */
export function createFindVouched({ config, database, log }: PeopleNeeds, users: Users): FindVouched {
  async function create(email: string): Promise<User> {
    if (!config.accounts.trustedHeader?.createAccounts) {
      throw new ServiceError('FORBIDDEN', 'Your address has no account here; ask the administrator for one')
    }
    try {
      const user = await users.create({ email, name: null, plan: 'free', password_hash: null, verified: true })
      log.info({ user: user.id }, 'account created for the trusted header')
      return user
    } catch (error) {
      // Another request of the same person has created it.
      const user = await users.byEmail(email)
      if (!user) throw error
      return user
    }
  }

  return async function findVouched(email) {
    if (!isEmail(email)) {
      throw new ServiceError('UNAUTHORIZED', "The proxy's header must have one email address")
    }
    const user = (await users.byEmail(email)) ?? (await create(email))
    if (user.verified || user.status !== 'active') return user
    const isTaken = await transact(database, (transaction) => proveAddress(transaction, user.id))
    if (isTaken) log.info({ user: user.id, taken: true }, 'address proved by the trusted header')
    return users.existing(user.id)
  }
}
