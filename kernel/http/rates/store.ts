import type { MiddlewareOptions } from 'koa-ratelimit'

/**
 * Where the requests of one window are counted, as koa-ratelimit takes it. In memory each window has a map of its own;
 * a store for several nodes gives all of them one Redis client, where names keep them apart.
 */
export type RateStore = () => Pick<MiddlewareOptions, 'driver' | 'db'>

/** Clients that a window remembers: about 250 bytes each. Beyond, those whose window ends first are forgotten. */
const CLIENTS = 50_000

/** Counts of one node, in memory. */
export const createMemoryStore =
  (clients = CLIENTS): RateStore =>
  () => ({ driver: 'memory', db: createCounts(clients) })

/** Counts by client; `reset` is when a count ends, in epoch seconds. */
type Counts = Map<string, { reset: number }>

/**
 * A map that forgets counts that have ended: koa-ratelimit itself never does. All windows of one map are as long as each
 * other, so the first entry is always the one that ends first.
 */
function createCounts(clients: number): Counts {
  const counts: Counts = new Map()
  const set = counts.set.bind(counts)
  counts.set = (client, count) => {
    counts.delete(client)
    // Two go for one that comes: the map shrinks again after a rush, and no request pays for it all.
    for (let swept = 0; swept < 2; swept++) {
      const first = counts.entries().next().value
      if (first && (first[1].reset * 1000 < Date.now() || counts.size >= clients)) counts.delete(first[0])
    }
    return set(client, count)
  }
  return counts
}
