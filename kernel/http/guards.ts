import type { Kernel } from '../boot/kernel.ts'
import { ServiceError } from '../errors.ts'
import { isPrivate } from '../people/owner.ts'
import { refuseWithPage } from './answer/refusal-page.ts'
import { isApiPath, type Middleware, pass, type RequestOrigin } from './context.ts'

/**
 * Refuses plain HTTP in production; the home profile serves it to private networks. The operating endpoints answer it,
 * since probes inside a cluster speak plain HTTP. Answers with RFC 9110 §15.5.22, and browsers with a page that says
 * what to set.
 */
export function requireHttps({ config }: Kernel): Middleware {
  const home = config.profile === 'home'
  if (config.mode !== 'production' && !home) return pass
  return (ctx, next) => {
    const { origin, operationsAtPath } = ctx.state
    const isPlain = operationsAtPath.some(({ plainHttp }) => plainHttp)
    if (origin.secure || (home && isAtHome(origin)) || isPlain) return next()
    ctx.set('Upgrade', 'TLS/1.2')
    ctx.set('Connection', 'Upgrade')
    if (refuseWithPage(ctx, home ? 'publicClient' : 'plainHttp')) return undefined
    const message = home
      ? 'Plain HTTP is served to private networks only; use https://'
      : 'Plain HTTP is not served; use https://'
    throw new ServiceError('HTTPS_REQUIRED', message)
  }
}

/**
 * Whether a request comes from a private network. An unknown proxy may be on one while its clients, as it names them,
 * are not.
 */
export const isAtHome = ({ address, claimed }: RequestOrigin) =>
  isPrivate(address) && (claimed ?? '').split(',').every(isPrivateOrNone)

const isPrivateOrNone = (address: string) => address === '' || isPrivate(address)

/** Refuses every request under `/api` during maintenance. Health and metrics stay open. */
export function refuseInMaintenance({ settings }: Kernel): Middleware {
  return (ctx, next) => {
    if (isApiPath(ctx.path) && settings.maintenance) throw inMaintenance()
    return next()
  }
}

export const inMaintenance = () =>
  new ServiceError('MAINTENANCE_MODE', 'The service is under maintenance; try again later', { retryAfter: 60 })

/** Refuses paths with broken percent-encoding (RFC 3986 §2.1). */
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

/** The parts that work needs. */
export type HealthParts = Awaited<ReturnType<Kernel['health']>>['parts']

/** The refusal of a service that cannot take work. It names the parts that do not work. */
export function notReady(parts: HealthParts): ServiceError {
  const broken = Object.entries(parts).filter(([, part]) => !part.ok)
  const names = broken.map(([name, { detail }]) => (detail ? `${name} (${detail})` : name))
  return new ServiceError('NOT_READY', `Not ready: ${names.join(', ')}`, { retryAfter: 5 })
}
