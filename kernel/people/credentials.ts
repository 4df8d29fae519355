import type { User } from '../database/tables/users.ts'
import { ServiceError, unauthorized } from '../errors.ts'
import type { FindVouched } from './external/trusted-header.ts'
import { type ApiKeys, looksLikeKey } from './keys.ts'
import type { Sessions } from './sessions.ts'
import type { Users } from './users.ts'

/** The credentials of a request, as received. */
export interface RequestCredentials {
  authorization?: string | undefined
  apiKey?: string | undefined
  /** The email address for which a trusted proxy vouches. It counts only without the other two. */
  vouched?: string | undefined
}

/** The owner of a credential, and its kind. Who is vouched for may do what a session may. */
export interface Authenticated {
  user: User
  by: 'session' | 'key'
  /** When the user signed in, in epoch milliseconds; with a trusted proxy, that is now. Undefined for keys. */
  signedInAt?: number
}

/** @throws ServiceError UNAUTHORIZED for a bad credential, FORBIDDEN for a suspended account. */
export type Authenticate = (credentials: RequestCredentials) => Promise<Authenticated>

/** Checks credentials. If a request has two, both must be valid and belong to one account. */
export function createAuthenticate({
  users,
  sessions,
  keys,
  findVouched,
}: {
  users: Users
  sessions: Sessions
  keys: ApiKeys
  findVouched: FindVouched
}): Authenticate {
  async function bySession(token: string): Promise<Authenticated> {
    const claims = await sessions.verify(token)
    const user = claims && (await users.byId(claims.userId))
    if (!user || user.session_version !== claims.version) throw unauthorized()
    return { user, by: 'session', signedInAt: claims.issuedAt }
  }

  async function byKey(secret: string): Promise<Authenticated> {
    const user = await keys.use(secret)
    if (!user) throw unauthorized()
    return { user, by: 'key' }
  }

  return async function authenticate({ authorization, apiKey, vouched }) {
    const found: Authenticated[] = []
    if (authorization !== undefined) {
      const token = /^Bearer +([A-Za-z0-9._-]{1,4096})$/i.exec(authorization)?.[1]
      if (token === undefined) throw unauthorized()
      found.push(await (looksLikeKey(token) ? byKey(token) : bySession(token)))
    }
    if (apiKey !== undefined) found.push(await byKey(apiKey))
    if (!found.length && vouched !== undefined)
      found.push({ user: await findVouched(vouched), by: 'session', signedInAt: Date.now() })
    const [first, second] = found
    if (!first || (second && second.user.id !== first.user.id)) throw unauthorized()
    requireActive(first.user)
    return first
  }
}

/** @throws ServiceError FORBIDDEN. */
export function requireActive({ status }: Pick<User, 'status'>): void {
  if (status !== 'active') throw new ServiceError('FORBIDDEN', 'The account is suspended; ask the administrator')
}
