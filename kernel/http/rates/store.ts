import type { Redis } from 'ioredis'
import type { MiddlewareOptions } from 'koa-ratelimit'

/** Where requests are counted. */
export interface RateStore {
  /** What koa-ratelimit needs to count there in one window. @param window Keeps its counts apart from others. */
  optionsFor(window: string): Pick<MiddlewareOptions, 'driver' | 'db' | 'namespace'>
  /** Counts while this store does not answer. Undefined: it always answers. */
  fallback?: RateStore
  /** Until when it is not asked, in milliseconds of the monotonic clock; 0: it answers. All its windows share this. */
  awayUntil: number
}

/** Maximum clients of a window, about 250 bytes each. Beyond that, the store drops those whose window ends first. */
const CLIENTS = 50_000

/** Makes a store in memory, for one node. Each window has a map of its own. */
export const createMemoryStore = (clients = CLIENTS): RateStore => ({
  optionsFor: (namespace) => ({ driver: 'memory', db: new Counts(clients), namespace }),
  awayUntil: 0,
})

/** `reset` is when the window of a client ends, in epoch seconds. */
type Count = { reset: number }

/**
 * The counts of one window, by client. koa-ratelimit keeps all of them, and changes a count at once but reads it after
 * other requests may have changed it. So this map drops those that have ended, and gives each request a copy.
 */
class Counts extends Map<string, Count> {
  readonly #max: number

  constructor(max: number) {
    super()
    this.#max = max
  }

  override get(client: string): Count | undefined {
    const count = super.get(client)
    if (!count) return undefined
    const copy = { ...count }
    super.set(client, copy)
    return copy
  }

  /** Called when the window of a client begins. All are of one length, so the first entry always ends first. */
  override set(client: string, count: Count): this {
    this.delete(client)
    for (const [first, { reset }] of this) {
      if (reset * 1000 > Date.now() && this.size < this.#max) break
      this.delete(first)
    }
    return super.set(client, count)
  }
}

/**
 * Counts a request as the memory of koa-ratelimit does: Redis ends a window. The script that koa-ratelimit brings
 * believes the clock of the node, so one that is ahead would remove what others have counted. Here, that clock only
 * tells from when the answer counts. Arguments: that time, the milliseconds of a window, its limit.
 */
const SCRIPT = `
  local duration, max = tonumber(ARGV[2]), tonumber(ARGV[3])
  local count = redis.call('INCR', KEYS[1])
  local left = redis.call('PTTL', KEYS[1])
  -- A new window has no end yet. If one ends too late, the clock of Redis was set back.
  if left < 0 or left > duration then
    redis.call('PEXPIRE', KEYS[1], duration)
    left = duration
  end
  return { math.max(0, max - count + 1), math.ceil((tonumber(ARGV[1]) + left) / 1000), max }
`

/** Makes a store in Redis, which all nodes share. While Redis is away, each node counts in its memory. */
export function createRedisStore({ redis, prefix }: { redis: Redis; prefix: string }): RateStore {
  // koa-ratelimit calls a command of this name, and only defines it if there is none.
  redis.defineCommand('ratelimiter', { numberOfKeys: 1, lua: SCRIPT })
  return {
    optionsFor: (window) => ({ driver: 'redis', db: redis as never, namespace: `${prefix}:${window}` }),
    fallback: createMemoryStore(),
    awayUntil: 0,
  }
}
