import type { Redis } from 'ioredis'
import type { MiddlewareOptions } from 'koa-ratelimit'

/**
 * Makes the store that koa-ratelimit counts the requests of one window in. In memory, each window has its own map. In
 * Redis, which several nodes share, the names of the windows keep them apart.
 *
 * `prefix`: in front of these names. `fallback`: for a store that may not answer.
 */
export type RateStore = () => Pick<MiddlewareOptions, 'driver' | 'db'> & { prefix?: string; fallback?: Fallback }

/** How requests are counted while a store does not answer. */
export interface Fallback {
  store: RateStore
  /**
   * Until when the store is not asked, in milliseconds of the monotonic clock; 0: it answers. All its windows share
   * this.
   */
  away: { until: number }
}

/** Maximum clients of a window, about 250 bytes each. Beyond that, the store drops those whose window ends first. */
const CLIENTS = 50_000

/** Makes a store in memory, for one node. */
export const createMemoryStore =
  (clients = CLIENTS): RateStore =>
  () => ({ driver: 'memory', db: createCounts(clients) })

/**
 * Counts one request as the memory of koa-ratelimit does, in place of its own script, which believes the clock of the
 * node: one that is ahead would remove what others have counted. Here Redis ends a window. The time of the node is only
 * where the answer counts from.
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

/** Makes a store that all nodes share. While Redis is away, each node counts in its memory. */
export const createRedisStore = ({ redis, prefix }: { redis: Redis; prefix: string }): RateStore => {
  // The name under which koa-ratelimit calls its script. It only defines its own if there is none.
  redis.defineCommand('ratelimiter', { numberOfKeys: 1, lua: SCRIPT })
  const fallback = { store: createMemoryStore(), away: { until: 0 } }
  return () => ({ driver: 'redis', db: redis as never, prefix: `${prefix}:`, fallback })
}

/** Counts by client; `reset` is when a count ends, in epoch seconds. */
type Counts = Map<string, { reset: number }>

/**
 * Makes a map that drops counts that have ended, since koa-ratelimit never does. All windows of a map have the same
 * length, so the first entry always ends first. Each request gets a copy of its count: koa-ratelimit changes it at
 * once, but reads it later, when other requests may have changed it.
 */
function createCounts(clients: number): Counts {
  const counts: Counts = new Map()
  const get = counts.get.bind(counts)
  const set = counts.set.bind(counts)
  counts.get = (client) => {
    const count = get(client)
    if (!count) return undefined
    const own = { ...count }
    set(client, own)
    return own
  }
  counts.set = (client, count) => {
    counts.delete(client)
    // Each new entry may remove two old ones. So the map shrinks after a rush, a little with each request.
    for (let swept = 0; swept < 2; swept++) {
      const first = counts.entries().next().value
      if (first && (first[1].reset * 1000 < Date.now() || counts.size >= clients)) counts.delete(first[0])
    }
    return set(client, count)
  }
  return counts
}
