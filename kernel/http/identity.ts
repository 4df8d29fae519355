import { guestOwner, type Owner } from '../accounts/owner.ts'
import { ServiceError } from '../errors.ts'
import { isApiPath, type Middleware } from './context.ts'

/** Guests whose owner is remembered, since they poll, and characters of a fingerprint up to which it is. */
const REMEMBERED = { guests: 1000, fingerprint: 100 }

/**
 * Finds out who asks. A credential that is present but bad is refused, never taken for a guest; without one, the
 * client is a guest, known by address and `x-guest-fingerprint`.
 */
export function identify(): Middleware {
  const recall = rememberGuests()
  return (ctx, next) => {
    if (!isApiPath(ctx.path)) return next()
    const { headers } = ctx.req
    if (headers.authorization !== undefined || headers['x-api-key'] !== undefined) {
      throw new ServiceError('UNAUTHORIZED', 'The API key or session token is missing, invalid or expired')
    }
    // Node joins repeated headers of this name to one text.
    ctx.state.owner = recall(ctx.state.origin.address, (headers['x-guest-fingerprint'] as string | undefined) ?? '')
    return next()
  }
}

function rememberGuests(): (address: string, fingerprint: string) => Owner {
  const owners = new Map<string, Owner>()
  return (address, fingerprint) => {
    const key = `${address} ${fingerprint}`
    let owner = owners.get(key)
    if (!owner) {
      owner = guestOwner(address, fingerprint || undefined)
      if (owners.size >= REMEMBERED.guests) owners.clear()
      if (fingerprint.length <= REMEMBERED.fingerprint) owners.set(key, owner)
    }
    return owner
  }
}
