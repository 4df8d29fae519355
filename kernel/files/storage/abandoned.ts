/** Milliseconds after which an unfinished file counts as abandoned. No upload and no conversion takes as long. */
export const ABANDONED = 24 * 3_600_000

/** Milliseconds between two looks: listing is slow on a share, and costs money on a server. */
const INTERVAL = 3_600_000

/** Lets a sweep look at the first call, then once an hour, and at once if it stopped at its limit. */
export function hourly(sweep: (now: number, limit: number) => Promise<number>): typeof sweep {
  let next = Number.NEGATIVE_INFINITY
  return async (now, limit) => {
    if (now < next) return 0
    // Set first: a failing sweep is also repeated an hour later.
    next = now + INTERVAL
    const removed = await sweep(now, limit)
    if (removed >= limit) next = now
    return removed
  }
}
