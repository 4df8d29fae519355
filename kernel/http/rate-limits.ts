import { networkOf } from '../accounts/owner.ts'
import { ServiceError } from '../errors.ts'
import type { Kernel } from '../kernel.ts'
import { type Context, isApiPath, type Middleware } from './context.ts'
import { createFamilies, familyOf } from './rate-families.ts'
import { createMemoryStore, type RateStore } from './rate-store.ts'
import { createWindow, type Verdict } from './rate-window.ts'

/** Milliseconds of the window over all endpoints. */
const CEILING = 15 * 60_000

/**
 * Counts requests, and refuses those beyond a limit; only in production. Clients are accounts, or addresses without
 * one, and where people sign in always addresses.
 *
 * @throws ServiceError RATE_LIMITED.
 */
export function limitRates({ config }: Pick<Kernel, 'config'>, store: RateStore = createMemoryStore()): Middleware {
  if (config.mode !== 'production') return (_ctx, next) => next()
  const { ceiling: most } = config.rates
  const ceiling = most === null ? undefined : createWindow(store, 'ceiling', most, CEILING)
  const windowsOf = createFamilies(config, store)

  return async (ctx, next) => {
    if (!isApiPath(ctx.path)) return next()
    const { owner, origin } = ctx.state
    // A connection that was cut has none any more.
    const address = networkOf(origin.address) || 'unknown'
    const client = owner.kind === 'user' ? owner.id : address
    // Refused requests of a family count here too: this one is above all of them.
    const shared = await ceiling?.(client)
    if (shared && !shared.allowed) {
      setLegacyHeaders(ctx, shared)
      throw refused(shared)
    }
    const family = familyOf(ctx.method, ctx.path)
    if (family) {
      let tightest: Verdict | undefined
      // The shorter window first: what it refuses does not use up the longer one.
      for (const window of windowsOf(family, owner.plan)) {
        const verdict = await window(family === 'authentication' ? address : client)
        if (!tightest || !verdict.allowed || verdict.remaining <= tightest.remaining) tightest = verdict
        if (!verdict.allowed) break
      }
      if (tightest) {
        setLegacyHeaders(ctx, tightest)
        setHeaders(ctx, tightest)
        if (!tightest.allowed) throw refused(tightest)
      }
    }
    return next()
  }
}

/** draft-ietf-httpapi-ratelimit-headers-06: seconds from now. */
function setHeaders({ res }: Context, { limit, remaining, reset }: Verdict): void {
  res.setHeader('RateLimit-Limit', limit)
  res.setHeader('RateLimit-Remaining', remaining)
  res.setHeader('RateLimit-Reset', Math.ceil(reset))
}

/** The headers that were there before the draft: reset is a time, in epoch seconds. */
function setLegacyHeaders({ res }: Context, { limit, remaining, reset }: Verdict): void {
  res.setHeader('X-RateLimit-Limit', limit)
  res.setHeader('X-RateLimit-Remaining', remaining)
  res.setHeader('X-RateLimit-Reset', Math.ceil(Date.now() / 1000 + reset))
}

function refused({ limit, reset }: Verdict): ServiceError {
  const seconds = Math.max(1, Math.ceil(reset))
  return new ServiceError(
    'RATE_LIMITED',
    `This is beyond the limit of ${limit} requests; try again in ${seconds} seconds`,
    {
      retryAfter: seconds,
    },
  )
}
