import type { QueuedByKind } from '../../database/tables/backlog.ts'

type Kind = keyof QueuedByKind

/** @param count Counts the waiting jobs in the database. */
export function createDepth(count: () => Promise<QueuedByKind>) {
  let known: QueuedByKind = { light: { waiting: 0, age: 0 }, heavy: { waiting: 0, age: 0 } }
  let asked = performance.now()
  return {
    add: (kind: Kind) => void known[kind].waiting++,
    /** Counts them again. @throws if the database does not answer. */
    async refresh() {
      known = await count()
      asked = performance.now()
    },
    of: (kind: Kind) => known[kind].waiting,
    // While the database does not answer, it still waits.
    /** Returns for how many milliseconds the oldest one has waited; 0: none waits. */
    ageOf: (kind: Kind) => (known[kind].waiting ? known[kind].age + performance.now() - asked : 0),
    all: () => known.light.waiting + known.heavy.waiting,
  }
}
