import { setTimeout as delay } from 'node:timers/promises'
import { type Job, Queue, WaitingError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { KindCounts } from '../database/tables/backlog.ts'
import { coalesce } from './coalesce.ts'
import { HandBack, type Runner, type ScheduledJob } from './job.ts'
import { type BacklogEntry, mostDelivered, promotable } from './promotion.ts'
import { shuttingDown } from './refusals.ts'
import { createRunning } from './running.ts'
import type { Scheduler } from './scheduler.ts'

/** The scheduler of several nodes. */
export interface SharedQueue extends Scheduler {
  /** Delivers the waiting jobs that may run, also those that Redis has lost. */
  fill(): Promise<void>
  /** Stops a job that another node has cancelled, if it runs here. */
  stop(id: string, message: string): void
  /** Stops all jobs of this node, which run again here or elsewhere, and takes no more. */
  suspend(message: string): void
  /** Takes jobs again. */
  resume(): void
  /** Reads how many jobs wait, for `depth` and `lane`. */
  refresh(): Promise<void>
}

/** What the queue needs of the database, which holds the truth. */
export interface Backlog {
  /** Lists running jobs and, of each owner and kind, the first waiting ones, oldest first. @param owner Only of this one. */
  list(most: number, owner?: string): Promise<BacklogEntry[]>
  /** Counts waiting jobs. */
  count(): Promise<KindCounts>
}

/** Milliseconds: the queue notices within `lock` and `look` that a node is gone that had taken a job. */
const LIVENESS = { lock: 10_000, look: 5000 }

/** Milliseconds that a shutdown waits for Redis. */
const PATIENCE = 1000

const KINDS = ['light', 'heavy'] as const

/**
 * Creates a queue on BullMQ. The database admits, orders and ends conversions; Redis only delivers them. BullMQ may deliver
 * a job twice or after its end. Then its claim fails, and nothing happens.
 */
export function createSharedQueue({
  run,
  backlog,
  redis,
  another,
  prefix,
  membership,
  cancelElsewhere,
  workers,
  log,
}: {
  run: Runner
  backlog: Backlog
  /** A connection for short commands. */
  redis: Redis
  /** Makes a connection on which a worker waits. */
  another: () => Redis
  prefix: string
  membership: { holds(): boolean; workers(): KindCounts }
  /** Tells the other nodes to stop a job. */
  cancelElsewhere: (id: string, message: string) => void
  /** Maximum number of jobs that this node runs at the same time. */
  workers: KindCounts
  log: Logger
}): SharedQueue {
  const running = createRunning(run)
  const kept = { removeOnComplete: true, removeOnFail: true }
  const waits = { connection: redis, prefix, defaultJobOptions: kept, skipWaitingForReady: true }
  const queues = { light: new Queue('light', waits), heavy: new Queue('heavy', waits) }
  let depth = { light: 0, heavy: 0 }
  let closing = false
  /** Whether the last delivery failed. That is logged once until one succeeds. */
  let late = false

  async function fill(owner?: string): Promise<void> {
    const all = membership.workers()
    const ready = promotable(await backlog.list(mostDelivered(all), owner), all, owner === undefined)
    for (const kind of KINDS) {
      const jobs = ready.filter(({ job }) => job.heavy === (kind === 'heavy'))
      // BullMQ ignores a job that it has. Each claim makes a new one of it.
      if (jobs.length) {
        await queues[kind].addBulk(
          jobs.map(({ job, fence }) => ({ name: 'convert', data: job, opts: { jobId: `${job.id}-${fence}` } })),
        )
        late = false
      }
    }
  }
  // Each start and each end asks for it.
  const fillOwner = coalesce(fill)
  const deliver = (owner: string) =>
    fillOwner(owner).catch((err) => {
      if (!late) log.warn({ err }, 'conversions are delivered later')
      late = true
    })

  async function take(delivery: Job<ScheduledJob>, token?: string): Promise<void> {
    if (closing || !membership.holds()) {
      // It came while the worker was being paused. Another node can take it.
      await delivery.moveToWait(token)
      throw new WaitingError()
    }
    const { data: job } = delivery
    await running.execute(job)
    if (!closing) void deliver(job.owner)
  }

  const takers = KINDS.map((kind) => {
    const times = { lockDuration: LIVENESS.lock, stalledInterval: LIVENESS.look, maxStalledCount: 10 }
    const worker = new Worker<ScheduledJob>(kind, take, {
      ...{ connection: another(), prefix, concurrency: workers[kind], ...times },
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    })
    return worker.on('error', (err) => log.debug({ err, kind }, 'queue'))
  })
  for (const queue of Object.values(queues)) queue.on('error', (err) => log.debug({ err }, 'queue'))

  return {
    fill,
    async refresh() {
      depth = await backlog.count()
    },
    requireOpen() {
      if (closing) throw shuttingDown()
    },

    async enqueue(job) {
      // The request does not wait for Redis.
      void deliver(job.owner)
      depth = await backlog.count().catch(() => depth)
      return { queued: true, depth: depth.light + depth.heavy }
    },

    cancel(id, reason) {
      if (!running.abort(id, reason)) cancelElsewhere(id, reason.message)
    },
    // Its record says how it ended. If it has not, because the claim came late, it is queued again.
    stop: (id, message) => void running.abort(id, new HandBack(message)),
    suspend(message) {
      for (const worker of takers) void worker.pause(true)
      running.handBack(message)
    },
    resume() {
      if (!closing) for (const worker of takers) void worker.resume()
    },
    has: running.has,
    ids: running.ids,
    depth: () => depth.light + depth.heavy,
    // The place would need the whole backlog for each answer.
    place: () => undefined,
    running: () => running.count(),
    lane: (name) => ({ waiting: depth[name], running: running.count(name === 'heavy'), age: 0 }),

    async close(grace) {
      closing = true
      const within = (all: Promise<unknown>[]) =>
        Promise.race([Promise.allSettled(all), delay(PATIENCE, undefined, { ref: false })])
      await within(takers.map((worker) => worker.pause(true)))
      await running.end(grace)
      await within([...takers, ...Object.values(queues)].map((each) => each.close()))
    },
  }
}
