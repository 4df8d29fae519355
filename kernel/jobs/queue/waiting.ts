import type { ScheduledJob } from './job.ts'

/** The jobs that wait, in the order of their arrival. */
export type Waiting = ReturnType<typeof createWaiting>

/** @param onMoved Called after a job left, because the places of later ones changed. */
export function createWaiting(onMoved: () => void) {
  const jobs = new Map<string, { job: ScheduledJob; since: number }>()
  const ofKind = (heavy: boolean) => [...jobs.values()].filter(({ job }) => job.heavy === heavy)
  return {
    add: (job: ScheduledJob) => void jobs.set(job.id, { job, since: performance.now() }),
    /** Removes a job, if it waits. */
    remove(id: string) {
      if (jobs.delete(id) && jobs.size > 0) onMoved()
    },
    has: (id: string) => jobs.has(id),
    size: () => jobs.size,
    /**
     * Returns the place of a job among those of its kind, light or heavy; 1 is the first. An owner whose own limit
     * holds a job back lets later jobs of others pass. Undefined if it does not wait.
     */
    place(id: string) {
      const own = jobs.get(id)?.job
      if (!own) return undefined
      let place = 0
      for (const { job } of jobs.values()) {
        if (job.heavy === own.heavy) place++
        if (job === own) break
      }
      return place
    },
    /** Returns the first `count` jobs of each kind. */
    first: (count: number) =>
      [false, true].flatMap((heavy) =>
        ofKind(heavy)
          .slice(0, count)
          .map(({ job }) => job),
      ),
    /** Counts the jobs of a kind. `age`: milliseconds since the oldest of them arrived; 0: there is none. */
    kind(heavy: boolean) {
      const [oldest, ...others] = ofKind(heavy)
      return oldest ? { waiting: others.length + 1, age: performance.now() - oldest.since } : { waiting: 0, age: 0 }
    },
  }
}
