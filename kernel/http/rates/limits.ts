import type { PlanName } from '../../../config/config.ts'
import type { Kernel } from '../../boot/kernel.ts'
import { ServiceError } from '../../errors.ts'
import { networkOf } from '../../people/owner.ts'
import { type Context, isApiPath, type Middleware, pass } from '../context.ts'
import { createFamilies, FAMILY_NAMES, type RateFamily } from './families.ts'
import { createMemoryStore, createRedisStore, type RateStore } from './store.ts'
import { createWindow, type RateVerdict } from './window.ts'

/** The window over all endpoints. */
const CEILING_WINDOW_MS = 15 * 60_000

/** Counts a request in another family than its own. @throws ServiceError RATE_LIMITED. */
export type Charge = (ctx: Context, family: RateFamily) => Promise<void>

/** The places where requests are counted. */
interface RateLimits {
  charge: Charge
  /** Counts requests of known clients, and refuses those above a limit. @throws ServiceError RATE_LIMITED. */
  limit: Middleware
  /**
   * Counts requests that are refused before that, such as those with a bad credential, by address, and sets their
   * headers. The answer stays the earlier refusal: a bad credential is judged before the rate.
   */
  countRefused: Middleware
}

/**
 * Counts requests, in production only: by account, or by address without an account. Sign-in requests are always
 * counted by address.
 */
export function createRateLimits(
  { config, cluster }: Pick<Kernel, 'config'> & Partial<Pick<Kernel, 'cluster'>>,
  store: RateStore = cluster ? createRedisStore(cluster.redis) : createMemoryStore(),
): RateLimits {
  if (config.mode !== 'production') return { charge: async () => {}, limit: pass, countRefused: pass }
  const build = () => {
    const { rates } = config
    const ceiling =
      rates.ceiling === null ? undefined : createWindow(store, 'ceiling', rates.ceiling, CEILING_WINDOW_MS)
    return { rates, ceiling, windowsOf: createFamilies(config, store) }
  }
  let windows = build()

  /** Returns the refusal of a request that is beyond a limit. Sets the headers. */
  async function count(ctx: Context, client: string, address: string, plan: PlanName) {
    // Its refusal is not counted again.
    ctx.state.counted = true
    // A reload changes the limits; the store keeps the counts.
    if (windows.rates !== config.rates) windows = build()
    const { ceiling } = windows
    // The ceiling also counts requests that a family refuses.
    const shared = await ceiling?.(client)
    const { family, operation } = ctx.state
    if (shared && !shared.allowed) {
      ctx.state.family = 'ceiling'
      setLegacyHeaders(ctx, shared)
      return rateRefusal('requests', '15 minutes', shared)
    }
    if (!family || family === 'ceiling') return undefined
    return countIn(ctx, operation?.alsoCountedAs ? [family, operation.alsoCountedAs] : [family], client, address, plan)
  }

  /** Returns the refusal of a request that is beyond a limit of these families. */
  async function countIn(
    ctx: Context,
    families: readonly RateFamily[],
    client: string,
    address: string,
    plan: PlanName,
  ) {
    let tightest: { verdict: RateVerdict; family: RateFamily } | undefined
    for (const each of families) {
      // The shorter window first: requests that it refuses do not count in the longer one, nor in the next family.
      for (const window of windows.windowsOf(each, plan)) {
        const verdict = await window(each === 'authentication' ? address : client)
        const isTighter = !tightest || !verdict.allowed || verdict.remaining <= tightest.verdict.remaining
        if (isTighter) tightest = { verdict, family: each }
        if (!verdict.allowed) break
      }
      if (tightest && !tightest.verdict.allowed) break
    }
    if (!tightest) return undefined
    const { verdict } = tightest
    setLegacyHeaders(ctx, verdict)
    setHeaders(ctx, verdict)
    if (verdict.allowed) return undefined
    return rateRefusal(FAMILY_NAMES[tightest.family], verdict.duration === 60_000 ? 'minute' : 'hour', verdict)
  }

  return {
    async charge(ctx, family) {
      const { plan } = ctx.state.owner
      const refusal = await countIn(ctx, [family], clientOf(ctx), addressOf(ctx), plan)
      if (refusal) throw refusal
    },
    async limit(ctx, next) {
      if (!isApiPath(ctx.path)) return next()
      const refusal = await count(ctx, clientOf(ctx), addressOf(ctx), ctx.state.owner.plan)
      if (refusal) throw refusal
      return next()
    },
    async countRefused(ctx, next) {
      try {
        return await next()
      } catch (error) {
        if (isApiPath(ctx.path) && !ctx.state.counted) await count(ctx, addressOf(ctx), addressOf(ctx), 'guest')
        throw error
      }
    },
  }
}

/** A closed connection has no address. */
const addressOf = ({ state }: Context) => networkOf(state.origin.address) || 'unknown'

/** The account, or the address without one. */
const clientOf = (ctx: Context) => (ctx.state.owner.kind === 'user' ? ctx.state.owner.id : addressOf(ctx))

/** draft-ietf-httpapi-ratelimit-headers-06: seconds from now. */
function setHeaders({ res }: Context, { limit, remaining, reset }: RateVerdict): void {
  res.setHeader('RateLimit-Limit', limit)
  res.setHeader('RateLimit-Remaining', remaining)
  res.setHeader('RateLimit-Reset', Math.ceil(reset))
}

/** The headers from before that draft: reset is a time, in epoch seconds. */
function setLegacyHeaders({ res }: Context, { limit, remaining, reset }: RateVerdict): void {
  res.setHeader('X-RateLimit-Limit', limit)
  res.setHeader('X-RateLimit-Remaining', remaining)
  res.setHeader('X-RateLimit-Reset', Math.ceil(Date.now() / 1000 + reset))
}

/** @param what The requests that are counted. @param window The window of `limit`. `reset` is in seconds. */
function rateRefusal(
  what: string,
  window: 'minute' | 'hour' | '15 minutes',
  { limit, reset }: Pick<RateVerdict, 'limit' | 'reset'>,
): ServiceError {
  const seconds = Math.max(1, Math.ceil(reset))
  const within = { minute: 'a minute', hour: 'an hour', '15 minutes': 'in 15 minutes' }[window]
  const message = `At most ${limit} ${what} ${within} are allowed; try again in ${seconds} seconds`
  return new ServiceError('RATE_LIMITED', message, { retryAfter: seconds })
}
