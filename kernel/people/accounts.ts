import type { User } from '../database/tables/users.ts'
import { transact } from '../database/transact.ts'
import { ServiceError, unauthorized } from '../errors.ts'
import { removeAccount } from './account-removal.ts'
import { type Authenticate, createAuthenticate, requireActive } from './credentials.ts'
import { openRegistrations } from './daily-bounds.ts'
import { createExternalSignIn, type ExternalSignIn } from './external/external.ts'
import { createFindVouched } from './external/trusted-header.ts'
import { type ApiKeys, createApiKeys } from './keys.ts'
import type { Mailer } from './mailer.ts'
import { createPasswords } from './passwords.ts'
import type { PeopleParts } from './people-parts.ts'
import { createPasswordResets, type PasswordResets } from './resets.ts'
import { createSessions } from './sessions.ts'
import { createUsers, type Users } from './users.ts'

/** The answer to a sign-in. */
export interface SignedIn {
  token: string
  user: User
}

export interface Accounts {
  users: Users
  keys: ApiKeys
  authenticate: Authenticate
  resets: PasswordResets
  external: ExternalSignIn
  /** Undefined without a mail server. `resets` closes it. */
  mailer: Mailer | undefined
  /**
   * Starts a session.
   * @param way How the user proved who they are, for the log.
   * @throws ServiceError FORBIDDEN if suspended.
   */
  signIn(user: User, way: string): Promise<SignedIn>
  /**
   * @param address Where the request comes from. In production, few accounts a day can be registered from there.
   * @throws ServiceError FORBIDDEN if registration is closed, EMAIL_TAKEN, QUOTA_EXCEEDED.
   */
  register(request: { email: string; password: string; name?: string }, address: string): Promise<SignedIn>
  /**
   * @throws ServiceError UNAUTHORIZED, the same for an unknown address and a wrong password; FORBIDDEN if suspended.
   */
  login(request: { email: string; password: string }): Promise<SignedIn>
  /**
   * Sets a new password and ends all other sessions. @param user As read with the session.
   * @throws ServiceError BAD_REQUEST for a wrong current password, UNAUTHORIZED if the session has ended.
   */
  changePassword(user: User, request: { currentPassword: string; password: string }): Promise<SignedIn>
  /**
   * Deletes the account with all that it has. @param signedInAt When the session began, in epoch milliseconds.
   * @throws ServiceError BAD_REQUEST for a wrong or missing password; FORBIDDEN if there is no password and the session
   * is not a new one.
   */
  remove(user: User, request: { password?: string }, signedInAt: number): Promise<void>
}

/** Milliseconds after a sign-in in which an account without a password can be deleted. */
const FRESH_MS = 10 * 60_000

/** Accounts, their credentials and the ways to sign in. */
export async function createAccounts(kernel: PeopleParts): Promise<Accounts> {
  const { config, database, secrets, log } = kernel
  const users = createUsers(database)
  const keys = createApiKeys(database, config.plans, users)
  const passwords = createPasswords()
  const sessions = createSessions(secrets, config.accounts.sessionLifetime)

  const mailer = config.smtp && (await import('./mailer.ts')).createMailer(config.smtp)

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

    async register({ email, password, name }, address) {
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

    async login({ email, password }) {
      const user = await users.byEmail(email)
      const isRight = await passwords.verify(password, user?.password_hash)
      if (!user || !isRight) {
        throw new ServiceError('UNAUTHORIZED', 'email or password is wrong')
      }
      return signIn(user, 'password')
    },

    async changePassword(user, { currentPassword, password }) {
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

    async remove(user, { password = '' }, signedInAt) {
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
