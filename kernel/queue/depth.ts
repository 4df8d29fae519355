import type { KindCounts } from '../database/tables/nodes.ts'
import { createSingleFlight } from '../storage/single-flight.ts'

/** How many jobs wait in the database. For a second after they were counted, new ones are added, and those that began count. */
export interface Depth {
  /** Counts a new job. If the database does not answer, the last number stays. */
  add(kind: keyof KindCounts): Promise<void>
  /** Asks the database, unless it did within the last second. @throws if the database does not answer. */
  refresh(): Promise<void>
  of(kind: keyof KindCounts): number
  all(): number
}

/** Milliseconds for which the database is not asked again: each start would ask. */
const FRESH = 1000

/** @param count Counts the waiting jobs in the database. */
export function createDepth(count: () => Promise<KindCounts>): Depth {
  let known = { light: 0, heavy: 0 }
  let asked = -Infinity
  const looks = createSingleFlight<void>()
  const isFresh = () => performance.now() - asked < FRESH

  async function look(): Promise<void> {
    known = await count()
    asked = performance.now()
  }

  async function refresh(): Promise<void> {
    if (isFresh()) return
    await looks('', look)
  }

  return {
    async add(kind) {
      if (isFresh()) known[kind]++
      else await refresh().catch(() => {})
    },
    refresh,
    of: (kind) => known[kind],
    all: () => known.light + known.heavy,
  }
}
