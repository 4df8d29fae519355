import type { User } from '../database/tables/users.ts'
import { transact } from '../database/transact.ts'
import { ServiceError, unauthorized } from '../errors.ts'
import { removeAccount } from './account-removal.ts'
import { createAuthenticate, requireActive } from './credentials.ts'
import { openRegistrations } from './daily-bounds.ts'
import { createExternalSignIn } from './external/external.ts'
import { createFindVouched } from './external/trusted-header.ts'
import { createApiKeys } from './keys.ts'
import type { PeopleNeeds } from './needs.ts'
import { createPasswords } from './passwords.ts'
import { createPasswordResets } from './resets.ts'
import { createSessions } from './sessions.ts'
import { createUsers } from './users.ts'

/** The answer to a sign-in. */
export interface SignedIn {
  token: string
  user: User
}

export type Accounts = Awaited<ReturnType<typeof createAccounts>>

/** Milliseconds after a sign-in in which an account without a password can be deleted. */
const FRESH_MS = 10 * 60_000

/** Accounts, their credentials and the ways to sign in. */
export async function createAccounts(kernel: PeopleNeeds) {
  const { config, database, secrets, log } = kernel
  const users = createUsers(database)
  const keys = createApiKeys(database, config.plans, users)
  const passwords = createPasswords()
  const sessions = createSessions(secrets, config.accounts.sessionLifetime)

  /** Undefined without a mail server. `resets` closes it. */
  const mailer = config.smtp && (await import('./mailer.ts')).createMailer(config.smtp)

  /**
   * Starts a session.
   * @param way How the user proved who they are, for the log.
   * @throws ServiceError FORBIDDEN if suspended.
   */
  async function signIn(user: User, way: string): Promise<SignedIn> {
    requireActive(user)
    log.info({ user: user.id, way }, 'signed in')
    return { token: await sessions.sign(user), user }
  }

  return {
    users,
    keys,
    mailer,
    authenticate: createAuthenticate({
      users,
      sessions,
      keys,
      findVouched: createFindVouched(kernel, users),
    }),
    resets: createPasswordResets(kernel, users, passwords, mailer),
    external: await createExternalSignIn(kernel, users),
    signIn,

    /**
     * @param address Where the request comes from. In production, few accounts a day can be registered from there.
     * @throws ServiceError FORBIDDEN if registration is closed, EMAIL_TAKEN, QUOTA_EXCEEDED.
     */
    async register({ email, password, name }: { email: string; password: string; name?: string }, address: string) {
      const { registration, registrationsPerDay } = config.accounts
      if (!registration) {
        throw new ServiceError('FORBIDDEN', 'Registration is closed; ask the administrator for an account')
      }
      const perDay = config.mode === 'production' ? registrationsPerDay : null
      const count = perDay === null ? undefined : await openRegistrations(database, address, perDay)
      const password_hash = await passwords.hash(password)
      const user = await transact(database, async (transaction) => {
        await count?.(transaction)
        const fields = { email, name: name || null, plan: 'free', password_hash, verified: false } as const
        return createUsers(transaction).create(fields)
      })
      return signIn(user, 'registration')
    },

    /**
     * @throws ServiceError UNAUTHORIZED, the same for an unknown address and a wrong password; FORBIDDEN if suspended.
     */
    async login({ email, password }: { email: string; password: string }) {
      const user = await users.byEmail(email)
      const isRight = await passwords.verify(password, user?.password_hash)
      if (!user || !isRight) {
        throw new ServiceError('UNAUTHORIZED', 'email or password is wrong')
      }
      return signIn(user, 'password')
    },

    /**
     * Sets a new password and ends all other sessions. @param user As read with the session.
     * @throws ServiceError BAD_REQUEST for a wrong current password, UNAUTHORIZED if the session has ended.
     */
    async changePassword(user: User, { currentPassword, password }: { currentPassword: string; password: string }) {
      const { id, session_version, password_hash } = user
      if (!(await passwords.verify(currentPassword, password_hash))) {
        throw new ServiceError(
          'BAD_REQUEST',
          'currentPassword is wrong; if you have no password yet, request a reset with POST /api/auth/password-reset',
        )
      }
      // Hashing takes time. If the sessions have ended meanwhile, this request must not begin another.
      const isChanged = await users.setPassword({ id, session_version }, await passwords.hash(password))
      if (!isChanged) throw unauthorized()
      return signIn({ ...user, session_version: session_version + 1 }, 'new password')
    },

    /**
     * Deletes the account with all that it has. @param signedInAt When the session began, in epoch milliseconds.
     * @throws ServiceError BAD_REQUEST for a wrong or missing password; FORBIDDEN if there is no password and the
     * session is not a new one.
     */
    async remove(user: User, { password = '' }: { password?: string }, signedInAt: number) {
      if (user.password_hash === null) {
        if (Date.now() - signedInAt > FRESH_MS) {
          throw new ServiceError('FORBIDDEN', 'Sign in again, then delete the account within 10 minutes')
        }
      } else if (!(await passwords.verify(password, user.password_hash))) {
        throw new ServiceError('BAD_REQUEST', 'password is wrong; the account was not deleted')
      }
      await transact(database, (transaction) => removeAccount(transaction, user))
      log.info({ user: user.id }, 'account deleted by its user')
    },
  }
}
