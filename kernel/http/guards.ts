import { ServiceError } from '../errors.ts'
import type { Kernel } from '../kernel.ts'
import { isApiPath, type Middleware } from './context.ts'

const OPERATING = new Set(['/healthz', '/readyz', '/metrics'])

/** In production only TLS is served; probes inside a cluster speak plain HTTP. Answers with RFC 9110 §15.5.22. */
export function requireHttps({ config }: Kernel): Middleware {
  if (config.mode !== 'production') return (_ctx, next) => next()
  return (ctx, next) => {
    if (ctx.state.origin.secure || OPERATING.has(ctx.path)) return next()
    ctx.set('Upgrade', 'TLS/1.2')
    ctx.set('Connection', 'Upgrade')
    throw new ServiceError('HTTPS_REQUIRED', 'Plain HTTP is not served; use https://')
  }
}

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
