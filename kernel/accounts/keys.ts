import { randomBytes } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import type { Database } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import type { LookUp } from '../database/look-up.ts'
import { ServiceError } from '../errors.ts'
import { digestOf } from './digest.ts'
import type { User, Users } from './users.ts'

/** A row of the table `api_keys`. Times are epoch milliseconds. */
export interface ApiKey {
  /** `key_…` */
  id: string
  user_id: string
  name: string
  /** The key's first characters, by which a person knows it. */
  prefix: string
  hash: string
  created_at: number
  last_used_at: number | null
  expires_at: number | null
}

export interface ApiKeys {
  /** The user's active ones, oldest first. `overLimit`: beyond the plan's number, so that it does not work for now. */
  list(user: User): Promise<(ApiKey & { overLimit: boolean })[]>
  /** Makes a key; it is told this once. @throws ServiceError FORBIDDEN over the plan's number. */
  create(user: User, fields: { name: string; expiresAt: number | null }): Promise<{ apiKey: ApiKey; key: string }>
  /** @throws ServiceError NOT_FOUND, also for another user's. */
  revoke(user: User, id: string): Promise<void>
  /** Revokes all of a user's. */
  revokeAll(userId: string): Promise<void>
  /** The user of the working key that a secret is; the key is noted as used. Undefined when there is none. */
  use(secret: string): Promise<User | undefined>
  /** Removes at most `limit` that have expired; resolves to their number. */
  sweep(now: number, limit: number): Promise<number>
}

const SECRET = /^ath_[A-Za-z0-9_-]{43}$/

/** Characters of a key that are shown again. */
const PREFIX = 12

/** Milliseconds between two notes of a key's use. */
const NOTE_INTERVAL = 60_000

/** Whether a bearer token can only be an API key. */
export const looksLikeKey = (token: string) => token.startsWith('ath_')

/** API keys: 256 random bits each, of which only a hash is kept. */
export function createApiKeys({
  database,
  lookUp,
  plans,
  users,
}: {
  database: Database
  lookUp: LookUp
  users: Pick<Users, 'byId'>
  plans: Config['plans']
}): ApiKeys {
  const table = () => database<ApiKey>('api_keys')
  const isActive = (now: number) => (either: any) => either.whereNull('expires_at').orWhere('expires_at', '>', now)

  /** A plan that was lowered leaves its number of keys working, the oldest ones; ids sort by time. */
  async function isWithinPlan(key: ApiKey, { plan }: User, now: number): Promise<boolean> {
    const most = plans[plan].apiKeys
    if (most === null) return true
    const older = table().where({ user_id: key.user_id }).andWhere('id', '<', key.id).andWhere(isActive(now))
    const [counted] = await older.count({ older: '*' })
    return Number(counted!.older) < most
  }

  return {
    async list(user) {
      const keys = await table().where({ user_id: user.id }).andWhere(isActive(Date.now())).orderBy('id')
      const most = plans[user.plan].apiKeys ?? keys.length
      return keys.map((key, index) => ({ ...key, overLimit: index >= most }))
    },

    async create(user, { name, expiresAt }) {
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
      const most = plans[user.plan].apiKeys
      await database.transaction(async (transaction) => {
        // Holding the user's row, keys that are asked for at the same time are counted one after the other.
        await transaction('users').where({ id: user.id }).forUpdate().first('id')
        const counted = await transaction<ApiKey>('api_keys')
          .where({ user_id: user.id })
          .andWhere(isActive(now))
          .count({ active: '*' })
        if (most !== null && Number(counted[0]!.active) >= most) {
          const have = most === 0 ? 'Your plan has no API keys' : `Your plan has ${most} API keys; revoke one first`
          throw new ServiceError('FORBIDDEN', have)
        }
        await transaction('api_keys').insert(apiKey)
      })
      return { apiKey, key: secret }
    },

    async revoke(user, id) {
      if (await table().where({ id, user_id: user.id }).delete()) return
      throw new ServiceError('NOT_FOUND', 'There is no such API key; GET /api/api-keys lists yours')
    },

    async revokeAll(userId) {
      await table().where({ user_id: userId }).delete()
    },

    async use(secret) {
      if (!SECRET.test(secret)) return undefined
      const apiKey: ApiKey | undefined = await lookUp('api_keys', 'hash', digestOf(secret))
      const now = Date.now()
      if (!apiKey || (apiKey.expires_at !== null && Number(apiKey.expires_at) <= now)) return undefined
      const user = await users.byId(apiKey.user_id)
      if (!user || !(await isWithinPlan(apiKey, user, now))) return undefined
      const noted = Number(apiKey.last_used_at ?? 0)
      if (noted <= now - NOTE_INTERVAL) await table().where({ id: apiKey.id }).update({ last_used_at: now })
      return user
    },

    async sweep(now, limit) {
      const expired = await table().where('expires_at', '<=', now).orderBy('expires_at').limit(limit).select('id')
      for (const { id } of expired) await table().where({ id }).delete()
      return expired.length
    },
  }
}
