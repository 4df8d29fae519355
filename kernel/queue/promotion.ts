import type { KindCounts, Takers } from '../database/tables/nodes.ts'
import type { ScheduledJob } from './job.ts'

/** A pending conversion of the database. */
export interface BacklogEntry {
  job: ScheduledJob
  /** Number of its claims. */
  fence: number
  /** Whether a node has claimed it. */
  running: boolean
  /** What it converts: `png>webp`. */
  pair: string
}

/** Maximum waiting jobs of an owner and a kind that can be delivered at once. */
export const mostDelivered = (workers: KindCounts): number => Math.max(lightOf(workers), heavyOf(workers))

/** Light jobs of one owner that run at the same time: at most half of all, so that another owner's job finds a place. */
const lightOf = ({ light }: KindCounts) => Math.max(1, Math.ceil(light / 2))

const heavyOf = ({ heavy }: KindCounts) => Math.max(1, heavy)

/**
 * Returns the waiting jobs that may be delivered now: of each owner's light and heavy jobs the first, as far as its
 * concurrency allows. The others stay behind as records, so they are not in front of another owner's first job.
 *
 * Jobs that no living node can run stay behind too. Where nodes differ, an owner's concurrency counts apart for each choice
 * of nodes: jobs that wait for one node do not hold back those that another could run.
 *
 * @param entries What runs, and the first waiting jobs of the owners, oldest first: `mostDelivered` of each kind.
 * @param takersOf The living nodes that can convert a pair.
 * @param all Whether these are the jobs of all owners. Only then one suspect job is returned, if none runs.
 */
export function promotable(
  entries: readonly BacklogEntry[],
  takersOf: (pair: string) => Takers,
  all: boolean,
): BacklogEntry[] {
  // The first attempt of a running suspect was counted before.
  const isSuspect = ({ job, running, pair }: BacklogEntry) =>
    Boolean(job.suspect) && !running && takersOf(pair).groups.length > 0
  const suspectRuns = entries.some(({ running, job }) => running && job.suspect)
  const used = new Map<string, number>()
  const laneOf = ({ job, pair }: BacklogEntry) =>
    `${job.heavy ? 'heavy' : 'light'}:${takersOf(pair).groups.join('+')}:${job.owner}`
  const count = (entry: BacklogEntry) => used.set(laneOf(entry), (used.get(laneOf(entry)) ?? 0) + 1)
  for (const entry of entries) if (entry.running) count(entry)
  const promoted = entries.filter((entry) => {
    const { running, job } = entry
    const { groups, workers } = takersOf(entry.pair)
    if (running || job.suspect || !groups.length) return false
    const most = job.heavy ? Math.min(job.heavyConcurrency ?? Infinity, heavyOf(workers)) : lightOf(workers)
    if ((used.get(laneOf(entry)) ?? 0) >= most) return false
    count(entry)
    return true
  })
  const suspect = all && !suspectRuns ? entries.find(isSuspect) : undefined
  return suspect ? [...promoted, suspect] : promoted
}
