import type { QueuedByKind } from '../../database/tables/queued-by-kind.ts'

type Kind = keyof QueuedByKind

/** How many jobs wait: as the database counted them last, with those that were added since. */
interface Depth {
  add(kind: Kind): void
  /** Counts them again. @throws if the database does not answer. */
  refresh(): Promise<void>
  of(kind: Kind): number
  /** Returns for how many milliseconds the oldest one has waited; 0: none waits. */
  ageOf(kind: Kind): number
  all(): number
}

/** @param count Counts the waiting jobs in the database. */
export function createDepth(count: () => Promise<QueuedByKind>): Depth {
  let known: QueuedByKind = { light: { waiting: 0, age: 0 }, heavy: { waiting: 0, age: 0 } }
  let asked = performance.now()
  return {
    add: (kind) => void known[kind].waiting++,
    async refresh() {
      known = await count()
      asked = performance.now()
    },
    of: (kind) => known[kind].waiting,
    // While the database does not answer, it still waits.
    ageOf: (kind) => (known[kind].waiting ? known[kind].age + performance.now() - asked : 0),
    all: () => known.light.waiting + known.heavy.waiting,
  }
}
