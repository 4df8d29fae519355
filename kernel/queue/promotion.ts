import type { ScheduledJob } from './job.ts'

/** A pending conversion of the database. */
export interface BacklogEntry {
  job: ScheduledJob
  /** Number of its claims. */
  fence: number
  /** Whether a node has claimed it. */
  running: boolean
}

/**
 * Returns the waiting jobs that may be delivered now: of each owner's light and heavy jobs the first, as far as its
 * concurrency allows. The others stay behind as records, so they are not in front of another owner's first job.
 *
 * @param entries All pending jobs of the owners, oldest first. @param workers Light and heavy jobs that all nodes run at once.
 * @param all Whether these are the jobs of all owners. Only then one suspect job is returned, if none runs.
 */
export function promotable(
  entries: readonly BacklogEntry[],
  workers: { light: number; heavy: number },
  all: boolean,
): BacklogEntry[] {
  // The first attempt of a running suspect was counted before.
  const isSuspect = ({ job, running }: BacklogEntry) => Boolean(job.suspect) && !running
  const suspectRuns = entries.some(({ running, job }) => running && job.suspect)
  const used = new Map<string, number>()
  const laneOf = ({ job }: BacklogEntry) => `${job.heavy ? 'heavy' : 'light'}:${job.owner}`
  const count = (entry: BacklogEntry) => used.set(laneOf(entry), (used.get(laneOf(entry)) ?? 0) + 1)
  for (const entry of entries) if (entry.running) count(entry)
  const promoted = entries.filter((entry) => {
    const { running, job } = entry
    if (running || isSuspect(entry)) return false
    const most = job.heavy
      ? Math.min(job.heavyConcurrency ?? Infinity, Math.max(1, workers.heavy))
      : Math.max(1, Math.ceil(workers.light / 2))
    if ((used.get(laneOf(entry)) ?? 0) >= most) return false
    count(entry)
    return true
  })
  const suspect = all && !suspectRuns ? entries.find(isSuspect) : undefined
  return suspect ? [...promoted, suspect] : promoted
}
