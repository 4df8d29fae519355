import type { PlanName } from '../../config/config.ts'
import { networkOf } from '../accounts/owner.ts'
import { ServiceError } from '../errors.ts'
import type { Kernel } from '../kernel.ts'
import { type Context, isApiPath, type Middleware } from './context.ts'
import { createFamilies, FAMILY_NAMES, familyOf } from './rate-families.ts'
import { createMemoryStore, type RateStore } from './rate-store.ts'
import { createWindow, type Verdict } from './rate-window.ts'

/** Milliseconds of the window over all endpoints. */
const CEILING = 15 * 60_000

/** The two places where requests are counted. */
export interface RateLimits {
  /** Counts requests whose client is known, and refuses those beyond a limit. @throws ServiceError RATE_LIMITED. */
  limit: Middleware
  /**
   * Counts requests that are refused before that, such as those with a bad credential, by address; sets their headers.
   * What refused them stays the answer: a bad credential is judged before the rate.
   */
  countRefused: Middleware
}

/**
 * Counts requests; only in production. Clients are accounts, or addresses without one, and where people sign in always
 * addresses.
 */
export function createRateLimits(
  { config }: Pick<Kernel, 'config'>,
  store: RateStore = createMemoryStore(),
): RateLimits {
  const pass: Middleware = (_ctx, next) => next()
  if (config.mode !== 'production') return { limit: pass, countRefused: pass }
  const build = () => {
    const { rates } = config
    const ceiling = rates.ceiling === null ? undefined : createWindow(store, 'ceiling', rates.ceiling, CEILING)
    return { rates, ceiling, windowsOf: createFamilies(config, store) }
  }
  let windows = build()
  /** Requests that were counted, so that their refusal is not counted again. */
  const counted = new WeakSet<Context>()

  /** The error of the limit that a request is beyond, if it is. Sets the headers. */
  async function count(ctx: Context, client: string, address: string, plan: PlanName) {
    counted.add(ctx)
    // Others since a reload; what was counted stays in the store.
    if (windows.rates !== config.rates) windows = build()
    const { ceiling, windowsOf } = windows
    // Refused requests of a family count here too: this one is above all of them.
    const shared = await ceiling?.(client)
    if (shared && !shared.allowed) {
      ctx.state.family = 'ceiling'
      setLegacyHeaders(ctx, shared)
      return rateRefusal('requests', '15 minutes', shared)
    }
    const family = familyOf(ctx.method, ctx.path, ctx.querystring)
    if (!family) return undefined
    let tightest: Verdict | undefined
    // The shorter window first: what it refuses does not use up the longer one.
    for (const window of windowsOf(family, plan)) {
      const verdict = await window(family === 'authentication' ? address : client)
      if (!tightest || !verdict.allowed || verdict.remaining <= tightest.remaining) tightest = verdict
      if (!verdict.allowed) break
    }
    if (!tightest) return undefined
    setLegacyHeaders(ctx, tightest)
    setHeaders(ctx, tightest)
    return tightest.allowed
      ? undefined
      : rateRefusal(FAMILY_NAMES[family], tightest.duration === 60_000 ? 'minute' : 'hour', tightest)
  }

  return {
    async limit(ctx, next) {
      if (!isApiPath(ctx.path)) return next()
      const { owner } = ctx.state
      const address = addressOf(ctx)
      const refusal = await count(ctx, owner.kind === 'user' ? owner.id : address, address, owner.plan)
      if (refusal) throw refusal
      return next()
    },
    async countRefused(ctx, next) {
      try {
        return await next()
      } catch (error) {
        if (isApiPath(ctx.path) && !counted.has(ctx)) await count(ctx, addressOf(ctx), addressOf(ctx), 'guest')
        throw error
      }
    },
  }
}

/** A connection that was cut has none any more. */
const addressOf = ({ state }: Context) => networkOf(state.origin.address) || 'unknown'

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

/** @param what The requests that are counted. @param window What `limit` is about; `reset` is in seconds. */
export function rateRefusal(
  what: string,
  window: 'minute' | 'hour' | '15 minutes',
  { limit, reset }: Pick<Verdict, 'limit' | 'reset'>,
): ServiceError {
  const seconds = Math.max(1, Math.ceil(reset))
  const within = { minute: 'a minute', hour: 'an hour', '15 minutes': 'in 15 minutes' }[window]
  const message = `At most ${limit} ${what} ${within} are allowed; try again in ${seconds} seconds`
  return new ServiceError('RATE_LIMITED', message, { retryAfter: seconds })
}
