import type { QueuedByKind } from '../../database/tables/queued-by-kind.ts'
import { createSingleFlight } from '../../single-flight.ts'

type Kind = keyof QueuedByKind

/**
 * How many jobs wait in the database. For a second after they were counted, new ones are added, and those that began
 * count.
 */
interface Depth {
  /** Counts a new job. If the database does not answer, the last number stays. */
  add(kind: Kind): Promise<void>
  /** Asks the database, unless it did within the last second. @throws if the database does not answer. */
  refresh(): Promise<void>
  of(kind: Kind): number
  /** Returns for how many milliseconds the oldest one has waited; 0: none waits. */
  ageOf(kind: Kind): number
  all(): number
}

/** Milliseconds for which the database is not asked again: each start would ask. */
const FRESH = 1000

/** @param count Counts the waiting jobs in the database. */
export function createDepth(count: () => Promise<QueuedByKind>): Depth {
  let known: QueuedByKind = { light: { waiting: 0, age: 0 }, heavy: { waiting: 0, age: 0 } }
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
      if (isFresh()) known[kind].waiting++
      else await refresh().catch(() => {})
    },
    refresh,
    of: (kind) => known[kind].waiting,
    // While the database does not answer, it still waits.
    ageOf: (kind) => (known[kind].waiting ? known[kind].age + performance.now() - asked : 0),
    all: () => known.light.waiting + known.heavy.waiting,
  }
}
