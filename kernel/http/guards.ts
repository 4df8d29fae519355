import { isPrivate } from '../accounts/networks.ts'
import { ServiceError } from '../errors.ts'
import type { Kernel } from '../kernel.ts'
import { isApiPath, type Middleware } from './context.ts'
import { pleaseUseHttps } from './https-page.ts'
import type { Origin } from './origin.ts'

const OPERATING = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * In production only TLS is served, and by the home profile plain HTTP to private networks too; probes inside a cluster
 * speak plain HTTP. Answers with RFC 9110 §15.5.22, and to browsers with a page that says what to set.
 */
export function requireHttps({ config }: Kernel): Middleware {
  const home = config.profile === 'home'
  if (config.mode !== 'production' && !home) return (_ctx, next) => next()
  return (ctx, next) => {
    const { origin } = ctx.state
    if (origin.secure || (home && isAtHome(origin)) || OPERATING.has(ctx.path)) return next()
    ctx.set('Upgrade', 'TLS/1.2')
    ctx.set('Connection', 'Upgrade')
    ctx.vary('Accept')
    if (pleaseUseHttps(ctx, home)) return
    const message = home
      ? 'Plain HTTP is served to private networks only; use https://'
      : 'Plain HTTP is not served; use https://'
    throw new ServiceError('HTTPS_REQUIRED', message)
  }
}

/** A proxy that nobody configured is on the private network, and those that it speaks for need not be. */
const isAtHome = ({ address, hearsay }: Origin) =>
  isPrivate(address) && (hearsay ?? '').split(',').every(isPrivateOrNone)

const isPrivateOrNone = (address: string) => address === '' || isPrivate(address)

/** While an operator works on it, the whole interface is closed; health and metrics stay. */
export function refuseInMaintenance({ settings }: Kernel): Middleware {
  return (ctx, next) => {
    if (isApiPath(ctx.path) && settings.maintenance) {
      throw new ServiceError('MAINTENANCE_MODE', 'The service is under maintenance; try again later', {
        retryAfter: 60,
      })
    }
    return next()
  }
}

/** A path with broken percent-encoding means nothing (RFC 3986 §2.1). */
export const requireReadablePath: Middleware = (ctx, next) => {
  if (ctx.path.includes('%')) {
    try {
      decodeURIComponent(ctx.path)
    } catch {
      throw new ServiceError('BAD_REQUEST', 'The path must be percent-encoded UTF-8')
    }
  }
  return next()
}
