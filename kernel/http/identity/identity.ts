import type { Config } from '../../../config/config.ts'
import type { Kernel } from '../../boot/kernel.ts'
import type { User } from '../../database/tables/users.ts'
import { ServiceError } from '../../errors.ts'
import type { RequestCredentials } from '../../people/credentials.ts'
import { accountOwner, guestOwner, type Owner } from '../../people/owner.ts'
import { type Context, isApiPath, type Middleware, type RequestOrigin } from '../context.ts'

/**
 * Finds out who asks. A bad credential is refused, never taken for a guest. Without a credential, the client is a
 * guest, known by address and `x-guest-fingerprint`. A session with a fingerprint also sees what that guest made.
 */
export function identify({ accounts, config }: Pick<Kernel, 'accounts' | 'config'>): Middleware {
  return async (ctx, next) => {
    if (!isApiPath(ctx.path)) return next()
    const { state, req } = ctx
    const credentials = credentialsOf(ctx)
    // Node joins repeated headers of this name to one text.
    const fingerprint = req.headers['x-guest-fingerprint'] as string | undefined
    if (!credentials) {
      state.owner = guestOf(config, state.origin, fingerprint)
      return next()
    }
    const { user, by, signedInAt } = await accounts.authenticate(credentials)
    state.owner = ownerOf(config, state.origin, user)
    if (by === 'session') {
      state.user = user
      state.signedInAt = signedInAt
      if (fingerprint) state.owner.guest = guestOf(config, state.origin, fingerprint).id
    }
    return next()
  }
}

/** The credentials of a request; undefined: it has none. */
export function credentialsOf({ req, state }: Pick<Context, 'req' | 'state'>): RequestCredentials | undefined {
  const { authorization } = req.headers
  // Node joins repeated headers of this name to one text.
  const apiKey = req.headers['x-api-key'] as string | undefined
  const { vouched } = state.origin
  const isNone = authorization === undefined && apiKey === undefined && vouched === undefined
  return isNone ? undefined : { authorization, apiKey, vouched }
}

/** The owner that an account is for a request. */
export const ownerOf = (config: Config, origin: RequestOrigin, user: User): Owner =>
  accountOwner(user, countedAddress(config, origin))

/** The guest that sends a request. */
export function guestOf(config: Config, origin: RequestOrigin, fingerprint: string | undefined): Owner {
  const owner = guestOwner(origin.address, fingerprint || undefined, origin.claimed)
  return countedAddress(config, origin) === undefined ? { ...owner, client: owner.id } : owner
}

/** Returns the owner if it is an account. @throws ServiceError UNAUTHORIZED for guests. */
export function requireAccount({ state: { owner } }: Context): Owner {
  if (owner.kind === 'user') return owner
  throw new ServiceError('UNAUTHORIZED', 'This needs an account: send a session token or an API key')
}

/** Returns the user of the request's session. @throws ServiceError UNAUTHORIZED for guests and API keys. */
export function requireSession({ state }: Context): User {
  if (state.user) return state.user
  throw new ServiceError('UNAUTHORIZED', 'This needs the session token of a sign-in, as Authorization: Bearer <token>')
}

/**
 * Returns the address against which accounts that are not verified count. Undefined in the home profile: there, a
 * container or a proxy often hides the addresses of a household, so everybody counts alone.
 */
const countedAddress = ({ profile }: Pick<Config, 'profile'>, { address }: RequestOrigin): string | undefined =>
  profile === 'home' ? undefined : address

/**
 * Returns the owner that a request acts as: with `x-team-id`, its owner for that team.
 *
 * @throws ServiceError UNAUTHORIZED for guests, NOT_FOUND for teams of others, FORBIDDEN when the team's owner is
 * suspended.
 */
export async function actingOwner({ teams, config }: Pick<Kernel, 'teams' | 'config'>, ctx: Context): Promise<Owner> {
  const { owner, origin } = ctx.state
  // Node joins repeated headers of this name to one text.
  const id = ctx.req.headers['x-team-id'] as string | undefined
  if (id === undefined) return owner
  return { ...owner, team: await teams.payer(requireAccount(ctx).id, id, countedAddress(config, origin)) }
}
