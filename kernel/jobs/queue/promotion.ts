import { lanesAround } from '../../database/lanes.ts'
import type { QueuedByKind } from '../../database/tables/backlog.ts'
import type { KindCounts, NodeGroup } from '../../database/tables/nodes.ts'
import type { ScheduledJob } from './job.ts'
import { heavyShareOf, planShare, shareOf } from './shares.ts'

/** A pending conversion of the database. */
export interface BacklogEntry {
  job: ScheduledJob
  /** Number of its claims. */
  fence: number
  /** The node that runs it, or `SINGLE_NODE`; null: it waits. */
  node: string | null
  /** What it converts: `png>webp`. */
  pair: string
}

/** Stands for a service that had the database to itself when it claimed a conversion. It is in no group of nodes. */
export const SINGLE_NODE = 'single'

/** What the queue needs of the database, which holds the truth. */
export interface Backlog {
  /**
   * Lists running jobs and, of each lane and kind, the first waiting ones, oldest first.
   * @param max Waiting jobs of a lane and kind. @param lane Only of the widest lane around this one.
   */
  list(max: number, lane?: string): Promise<BacklogEntry[]>
  /** Counts waiting jobs. */
  count(): Promise<QueuedByKind>
}

/** A job that may be delivered, and the groups of nodes to deliver it to. */
export interface Promotion {
  entry: BacklogEntry
  groups: readonly string[]
}

/** The nodes that run jobs. */
export interface Workforce {
  /** The groups with living nodes that can convert a pair. */
  takersOf(pair: string): readonly NodeGroup[]
  /** The group of a node. */
  groupOf(node: string): string | undefined
}

/**
 * Waiting jobs of an owner and a kind that are read if nodes differ: behind its first ones can be some for another
 * node.
 */
const AHEAD = 1000

/** The name under which jobs count for the plan of their owner, whichever nodes run them. Groups are hexadecimal. */
const ALL_GROUPS = 'every group'

/** Waiting jobs of an owner and a kind that must be read, at most. @param groups Number of groups of nodes. */
export const maxRead = (workers: KindCounts, groups: number): number =>
  Math.max(shareOf(workers.light), heavyShareOf(workers.heavy), groups > 1 ? AHEAD : 0)

/**
 * Returns the waiting jobs that may be delivered now: of each owner's light and heavy jobs the first, as far as its
 * concurrency allows. The others stay behind as records, so they are not in front of another owner's first job.
 *
 * Jobs that no living node can run stay behind too. An owner has its share of the places of each group of nodes, so
 * jobs that wait for one group do not hold back those that another could run. A job that several groups could run
 * counts in all of them until one runs it.
 *
 * @param entries What runs, and the first waiting jobs of the owners, oldest first: `maxRead` of each kind.
 */
export function promotable(entries: readonly BacklogEntry[], { takersOf, groupOf }: Workforce): Promotion[] {
  const used = new Map<string, number>()
  const add = (key: string) => used.set(key, (used.get(key) ?? 0) + 1)
  /** The lanes of a job in a group of nodes, or in `ALL_GROUPS`, the narrowest first. */
  const lanesOf = ({ heavy, lane: own }: ScheduledJob, group: string) =>
    lanesAround(own).map((lane) => `${heavy ? 'heavy' : 'light'}:${group}:${lane}`)
  /** Counts a job in each of these groups, and once for the plan of its owner. */
  const count = (job: ScheduledJob, groups: readonly string[]) => {
    for (const group of [ALL_GROUPS, ...groups]) for (const lane of lanesOf(job, group)) add(lane)
  }
  const isWithin = (lanes: readonly string[], max: (level: number) => number) =>
    lanes.every((lane, level) => (used.get(lane) ?? 0) < max(level))
  const hasPlace = (job: ScheduledJob, { name, workers }: NodeGroup) =>
    isWithin(lanesOf(job, name), (level) =>
      job.heavy ? heavyShareOf(workers.heavy, level) : shareOf(workers.light, level),
    )
  /** The groups that have a place for a job; none if its owner's plan has not. */
  function groupsFor({ job, pair }: BacklogEntry): string[] {
    if (job.heavy && !isWithin(lanesOf(job, ALL_GROUPS), (level) => planShare(job.heavyConcurrency, level))) return []
    return takersOf(pair)
      .filter((group) => hasPlace(job, group))
      .map(({ name }) => name)
  }

  for (const { job, node } of entries) if (node !== null) count(job, [groupOf(node) ?? []].flat())
  const promoted: Promotion[] = []
  for (const entry of entries) {
    if (entry.node !== null) continue
    const groups = groupsFor(entry)
    if (!groups.length) continue
    count(entry.job, groups)
    promoted.push({ entry, groups })
  }
  return promoted
}
