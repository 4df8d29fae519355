import { randomBytes } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import type { Database } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import {
  type ApiKey,
  countActiveKeys,
  deleteKey,
  findKeyByHash,
  insertKey,
  listActiveKeys,
  noteKeyUse,
} from '../database/tables/api-keys.ts'
import { lockUser, type User } from '../database/tables/users.ts'
import { transact } from '../database/transact.ts'
import { ServiceError, unauthorized } from '../errors.ts'
import { digestOf } from './secret.ts'
import type { Users } from './users.ts'

export type ApiKeys = ReturnType<typeof createApiKeys>

const SECRET = /^ath_[A-Za-z0-9_-]{43}$/

/** Number of characters of a key that are shown later. */
const PREFIX = 12

/** Minimum milliseconds between two records of a key's last use. */
const NOTE_INTERVAL = 60_000

/** Whether a bearer token has the form of an API key. */
export const looksLikeKey = (token: string) => token.startsWith('ath_')

/** API keys with 256 random bits. The database has only a hash of each. */
export function createApiKeys(database: Database, plans: Config['plans'], users: Pick<Users, 'byId'>) {
  /** If a plan is lowered, as many keys as it allows keep working: the oldest ones. */
  async function isWithinPlan(key: ApiKey, { plan }: User, now: number): Promise<boolean> {
    const max = plans[plan].apiKeys
    if (max === null) return true
    return (await countActiveKeys(database, { user_id: key.user_id, now, before: key.id })) < max
  }

  return {
    /**
     * Returns the user's active keys, oldest first. `overLimit`: the plan allows fewer keys; this one does not work
     * now.
     */
    async list(user: User) {
      const keys = await listActiveKeys(database, user.id, Date.now())
      const max = plans[user.plan].apiKeys ?? keys.length
      return keys.map((key, index) => ({ ...key, overLimit: index >= max }))
    },

    /**
     * Creates a key. Its text is shown only once. @param user As read with the session.
     * @throws ServiceError FORBIDDEN if the plan allows no more keys, UNAUTHORIZED if the session has ended.
     */
    async create(user: User, { name, expiresAt }: { name: string; expiresAt: number | null }) {
      const secret = `ath_${randomBytes(32).toString('base64url')}`
      const now = Date.now()
      const apiKey: ApiKey = {
        id: newId('key_'),
        user_id: user.id,
        name,
        prefix: secret.slice(0, PREFIX),
        hash: digestOf(secret),
        created_at: now,
        last_used_at: null,
        expires_at: expiresAt,
      }
      const max = plans[user.plan].apiKeys
      await transact(database, async (transaction) => {
        // The lock on the user's row makes parallel requests count one after the other.
        const locked = await lockUser(transaction, user.id)
        // A key must not outlive the sessions that asked for it.
        if (locked?.session_version !== user.session_version) throw unauthorized()
        if (max !== null && (await countActiveKeys(transaction, { user_id: user.id, now })) >= max) {
          const have = max === 0 ? 'Your plan has no API keys' : `Your plan has ${max} API keys; revoke one first`
          throw new ServiceError('FORBIDDEN', have)
        }
        await insertKey(transaction, apiKey)
      })
      return { apiKey, key: secret }
    },

    /** @throws ServiceError NOT_FOUND, also for another user's key. */
    async revoke(user: User, id: string) {
      if (await deleteKey(database, user.id, id)) return
      throw new ServiceError('NOT_FOUND', 'There is no such API key; GET /api/api-keys lists yours')
    },

    /** Returns the user of a working key and records the use; undefined if there is no such key or it does not work. */
    async use(secret: string) {
      if (!SECRET.test(secret)) return undefined
      const apiKey = await findKeyByHash(database, digestOf(secret))
      const now = Date.now()
      if (!apiKey || (apiKey.expires_at !== null && apiKey.expires_at <= now)) return undefined
      const user = await users.byId(apiKey.user_id)
      if (!user || !(await isWithinPlan(apiKey, user, now))) return undefined
      if ((apiKey.last_used_at ?? 0) <= now - NOTE_INTERVAL) await noteKeyUse(database, apiKey.id, now)
      return user
    },
  }
}
