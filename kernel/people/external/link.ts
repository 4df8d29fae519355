import { isDuplicate } from '../../database/errors.ts'
import { findUserOfIdentity, insertIdentity } from '../../database/tables/identities.ts'
import type { User } from '../../database/tables/users.ts'
import { transact } from '../../database/transact.ts'
import { ServiceError } from '../../errors.ts'
import type { PeopleNeeds } from '../needs.ts'
import { proveAddress } from '../unproven.ts'
import { isEmail, type Users } from '../users.ts'
import type { ExternalIdentity } from './provider.ts'

/** Resolves to the account of an identity. @throws ServiceError FORBIDDEN. */
export type Link = (provider: string, identity: ExternalIdentity) => Promise<User>

/** Number of attempts of a first sign-in, if the same person signs in several times at once. */
const ATTEMPTS = 5

/** Returns the account of an identity. The first time, finds it by the verified address or creates it. */
export function createAccountLink({ config, database, log }: PeopleNeeds, users: Users): Link {
  async function known(identity: ExternalIdentity): Promise<User | undefined> {
    const id = await findUserOfIdentity(database, identity)
    return id === undefined ? undefined : users.byId(id)
  }

  async function first(provider: string, { email, emailVerified, name }: ExternalIdentity): Promise<User> {
    if (!emailVerified || !email || !isEmail(email)) {
      throw new ServiceError(
        'FORBIDDEN',
        `${provider} has no verified email address of yours; verify it there, then start again`,
      )
    }
    const present = await users.byEmail(email)
    if (present) return present
    if (!config.accounts.registration) {
      throw new ServiceError('FORBIDDEN', 'Registration is closed; ask the administrator for an account')
    }
    const called = name?.replace(/\p{Cc}/gu, '').slice(0, 200) || null
    return users.create({ email, name: called, plan: 'free', password_hash: null, verified: true })
  }

  async function join(provider: string, identity: ExternalIdentity): Promise<User> {
    const user = await first(provider, identity)
    const { issuer, subject } = identity
    await transact(database, async (transaction) => {
      await insertIdentity(transaction, { issuer, subject, user_id: user.id, created_at: Date.now() })
      await proveAddress(transaction, user.id)
    })
    log.info({ user: user.id, provider, taken: !user.verified }, 'identity linked')
    return await users.existing(user.id)
  }

  return async function link(provider, identity) {
    const fits = (text: string) => /^[\x21-\x7e]{1,255}$/.test(text)
    if (!fits(identity.issuer) || !fits(identity.subject)) {
      throw new ServiceError(
        'FORBIDDEN',
        `The user ID from ${provider} must be 1 to 255 printable ASCII characters without spaces`,
      )
    }
    for (let attempt = 1; ; attempt++) {
      const user = await known(identity)
      if (user) return user
      try {
        return await join(provider, identity)
      } catch (error) {
        // Another first sign-in at the same time has created the same rows.
        const lost = isDuplicate(error) || (error instanceof ServiceError && error.code === 'EMAIL_TAKEN')
        if (!lost || attempt === ATTEMPTS) throw error
      }
    }
  }
}
