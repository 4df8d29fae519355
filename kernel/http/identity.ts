import { guestOwner } from '../accounts/owner.ts'
import { ServiceError } from '../errors.ts'
import { isApiPath, type Middleware } from './context.ts'

/**
 * Finds out who asks. A credential that is present but bad is refused, never taken for a guest; without one, the
 * client is a guest, known by address and `x-guest-fingerprint`.
 */
export function identify(): Middleware {
  return (ctx, next) => {
    if (!isApiPath(ctx.path)) return next()
    const { headers } = ctx.req
    if (headers.authorization !== undefined || headers['x-api-key'] !== undefined) {
      throw new ServiceError('UNAUTHORIZED', 'The API key or session token is missing, invalid or expired')
    }
    const fingerprint = headers['x-guest-fingerprint']
    ctx.state.owner = guestOwner(ctx.state.origin.address, (fingerprint as string | undefined) || undefined)
    return next()
  }
}
