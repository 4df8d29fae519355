import { type Job, Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { ScheduledJob } from './job.ts'
import type { BacklogEntry } from './promotion.ts'

/** What BullMQ delivers. */
export interface Delivery {
  job: ScheduledJob
  /** Groups of nodes to which it is delivered. */
  groups: readonly string[]
}

/** The queues of BullMQ: one for each group of equal nodes and each kind of job. */
export interface Deliveries {
  /** Delivers jobs to every group that can run them. @param groupsFor Groups that can convert a pair. */
  add(entries: readonly BacklogEntry[], groupsFor: (pair: string) => readonly string[]): Promise<void>
  /** Takes a job back from the other groups, because this one runs it. Does not wait for Redis. */
  takeBack(delivery: Job<Delivery>, own: string): void
  close(): Promise<unknown>
}

/** The queue of a group of nodes for a kind of jobs. */
export const queueName = (kind: 'light' | 'heavy', group: string): string => `${kind}-${group}`

/** @param redis A connection for short commands. */
export function createDeliveries(redis: Redis, prefix: string, log: Logger): Deliveries {
  const kept = { removeOnComplete: true, removeOnFail: true }
  const options = { connection: redis, prefix, defaultJobOptions: kept, skipWaitingForReady: true }
  const queues = new Map<string, Queue<Delivery>>()

  function queueOf({ heavy }: ScheduledJob, group: string): Queue<Delivery> {
    const name = queueName(heavy ? 'heavy' : 'light', group)
    let queue = queues.get(name)
    if (!queue) {
      queue = new Queue<Delivery>(name, options)
      queue.on('error', (err) => log.debug({ err }, 'queue'))
      queues.set(name, queue)
    }
    return queue
  }

  /** A queue that was made while Redis was away never works. The next delivery makes another one. */
  function forget(queue: Queue<Delivery>): void {
    queues.delete(queue.name)
    void queue.close().catch(() => {})
  }

  return {
    async add(entries, groupsFor) {
      const all = entries.flatMap(({ job, fence, pair }) => {
        const groups = groupsFor(pair)
        // BullMQ ignores a job that it has. Each claim makes a new one of it.
        const delivery = { name: 'convert', data: { job, groups }, opts: { jobId: `${job.id}-${fence}` } }
        return groups.map((group) => ({ delivery, queue: queueOf(job, group) }))
      })
      for (const [queue, each] of Map.groupBy(all, ({ queue }) => queue)) {
        await queue.addBulk(each.map(({ delivery }) => delivery)).catch((error) => {
          forget(queue)
          throw error
        })
      }
    },
    takeBack({ id, data: { job, groups } }, own) {
      for (const group of groups) {
        // If it stays there, the others find nothing to claim.
        if (group !== own)
          void queueOf(job, group)
            .remove(id!)
            .catch(() => {})
      }
    },
    close: () => Promise.all([...queues.values()].map((queue) => queue.close())),
  }
}
