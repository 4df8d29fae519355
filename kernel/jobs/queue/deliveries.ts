import { DelayedError, type Job, Queue, WaitingError } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { fieldsOf } from '../../fields.ts'
import type { ScheduledJob } from './job.ts'
import type { Promotion } from './promotion.ts'

/** What BullMQ delivers. */
export interface Delivery {
  job: ScheduledJob
  /** Groups of nodes to which it is delivered. */
  groups: readonly string[]
}

/** Whether a node can have written a delivery: others may use the same server. */
export function isDelivery(data: unknown): data is Delivery {
  const { job, groups } = fieldsOf(data)
  const { id, lane, heavy, timeout } = fieldsOf(job)
  const isJob = isName(id) && isName(lane) && typeof heavy === 'boolean' && Number.isFinite(timeout)
  return isJob && Array.isArray(groups) && groups.every((group) => isName(group, GROUP))
}

/** BullMQ refuses other names of queues. */
const GROUP = /^[\w-]+$/

const isName = (value: unknown, pattern = /./): value is string =>
  typeof value === 'string' && value.length <= 100 && pattern.test(value)

/** The queue of a group of nodes for a kind of jobs. */
export const queueName = (kind: 'light' | 'heavy', group: string): string => `${kind}-${group}`

/** Milliseconds after which a job is delivered again that a node could not take yet. */
const REDELIVERY_DELAY_MS = 500

/**
 * Gives a job back that a worker has taken, so that another node can take it. Always rejects, which tells BullMQ.
 *
 * @param later Whether this node may get it again, but not at once.
 */
export async function leaveToOthers(delivery: Job<Delivery>, token: string | undefined, later = false): Promise<never> {
  if (later) await delivery.moveToDelayed(Date.now() + REDELIVERY_DELAY_MS, token)
  else await delivery.moveToWait(token)
  throw later ? new DelayedError() : new WaitingError()
}

/** @param redis A connection for short commands. */
export function createDeliveries(redis: Redis, prefix: string, log: Logger) {
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
    // Another failure may have been first.
    if (queues.get(queue.name) === queue) queues.delete(queue.name)
    void queue.close().catch(() => {})
  }

  return {
    /** Delivers jobs to the groups that are chosen for them. */
    async add(promotions: readonly Promotion[]) {
      const all = promotions.flatMap(({ entry: { job, fence }, groups }) => {
        // BullMQ ignores a job that it has. Each claim makes a new one of it.
        const delivery = { name: 'convert', data: { job, groups }, opts: { jobId: `${job.id}-${fence}` } }
        return groups.map((group) => ({ delivery, queue: queueOf(job, group) }))
      })
      const added = [...Map.groupBy(all, ({ queue }) => queue)].map(([queue, each]) =>
        queue.addBulk(each.map(({ delivery }) => delivery)).catch((error) => {
          forget(queue)
          throw error
        }),
      )
      const failed = (await Promise.allSettled(added)).find(({ status }) => status === 'rejected')
      if (failed) throw (failed as PromiseRejectedResult).reason
    },
    /** Removes what is left of groups that are gone. */
    keep(groups: ReadonlySet<string>) {
      for (const queue of queues.values()) {
        if (groups.has(queue.name.slice(queue.name.indexOf('-') + 1))) continue
        // Their nodes would find nothing to claim. If they come back, it is delivered again.
        void queue.obliterate({ force: true }).catch(() => {})
        forget(queue)
      }
    },
    /** Takes a job back from the other groups, because this one runs it. Does not wait for Redis. */
    takeBack({ id, data: { job, groups } }: Job<Delivery>, own: string | undefined) {
      for (const group of groups) {
        if (group === own || !id) continue
        // If it stays there, the others find nothing to claim.
        void queueOf(job, group)
          .remove(id)
          .catch(() => {})
      }
    },
    close: () => Promise.all([...queues.values()].map((queue) => queue.close())),
  }
}
