import { randomBytes } from 'node:crypto'
import {
  countValidResets,
  deleteResetsOf,
  deleteValidReset,
  findValidReset,
  insertReset,
} from '../database/tables/password-resets.ts'
import { lockUser, updatePassword } from '../database/tables/users.ts'
import { transact } from '../database/transact.ts'
import { ServiceError } from '../errors.ts'
import { createBackground } from './background.ts'
import type { Mailer } from './mailer.ts'
import type { PeopleNeeds } from './needs.ts'
import type { Passwords } from './passwords.ts'
import { digestOf } from './secret.ts'
import { dropUnproven } from './unproven.ts'
import type { Users } from './users.ts'

/** Maximum number of valid links per account. If there are more, no mail is sent. */
const LINKS = 3

/**
 * Password resets by links that work once and expire. The database has only a hash of each.
 *
 * @param mailer Undefined: no mail is sent; in development the link is logged.
 */
export function createPasswordResets(
  { config, database, log }: PeopleNeeds,
  users: Users,
  passwords: Passwords,
  mailer: Mailer | undefined,
) {
  const background = createBackground(log, 'reset request dropped: too many at the same time', 'reset link not mailed')
  const { resetLifetime, resetUrl } = config.accounts

  async function mailLink(email: string, base: string): Promise<void> {
    const user = await users.byEmail(email)
    if (user?.status !== 'active') return
    const now = Date.now()
    if ((await countValidResets(database, user.id, now)) >= LINKS) {
      return log.info({ user: user.id }, 'no more reset links for now')
    }
    const token = randomBytes(32).toString('base64url')
    await insertReset(database, { hash: digestOf(token), user_id: user.id, expires_at: now + resetLifetime })
    // In the fragment, which browsers send neither to servers nor as Referer.
    const link = `${resetUrl ?? `${config.publicUrl ?? base}/reset`}#token=${token}`
    const minutes = Math.round(resetLifetime / 60_000)
    if (mailer) {
      const text = `Somebody, most likely you, wants to set a new password for ${user.email}. This link works once, within ${minutes} minutes:\n\n${link}\n\nIf it was not you, ignore this mail: the password stays as it is.\n`
      await mailer.send({ to: user.email, subject: 'Set a new password', text })
      log.info({ user: user.id }, 'reset link mailed')
    } else if (config.mode === 'development') log.info({ user: user.id, link }, 'reset link; no mail server is set')
    else log.warn({ user: user.id }, 'reset link not mailed: SMTP_URL is not set')
  }

  return {
    /**
     * Mails a link if the account exists. Returns at once, so neither the answer nor its time reveals whether it
     * exists.
     * @param base Base of the link, if the configuration has none.
     */
    request: (email: string, base: string) => background.run(() => mailLink(email, base)),

    /** Sets a new password and ends all sessions. @throws ServiceError INVALID_TOKEN. */
    async confirm(token: string, password: string) {
      const hash = digestOf(token)
      const reset = await findValidReset(database, hash, Date.now())
      if (!reset) throw invalidToken()
      const { user_id } = reset
      const password_hash = await passwords.hash(password)
      await transact(database, async (transaction) => {
        if (!(await deleteValidReset(transaction, hash, Date.now()))) throw invalidToken()
        await deleteResetsOf(transaction, user_id)
        // The reader of the mail owns the address. Somebody else may have registered with it.
        if (!(await lockUser(transaction, user_id))?.verified) await dropUnproven(transaction, user_id)
        await updatePassword(transaction, { id: user_id }, password_hash, { verified: true })
      })
      log.info({ user: user_id }, 'password set by a reset link')
    },

    /** Waits for mails that are being sent. */
    async close() {
      await background.close()
      mailer?.close()
    },
  }
}

const invalidToken = () =>
  new ServiceError(
    'INVALID_TOKEN',
    'token is wrong, expired or already used; request a new link with POST /api/auth/password-reset',
  )
