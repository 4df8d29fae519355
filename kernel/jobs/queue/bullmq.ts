import { setTimeout as delay } from 'node:timers/promises'
import { type Job, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { KindCounts } from '../../database/tables/nodes.ts'
import { boundedWarning } from '../../log.ts'
import { coalesce } from './coalesce.ts'
import { createDeliveries, type Delivery, isDelivery, leaveToOthers, queueName } from './deliveries.ts'
import { createDepth } from './depth.ts'
import { HandBack, type Runner, shuttingDown } from './job.ts'
import { type Backlog, maxRead, promotable, type Workforce } from './promotion.ts'
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
  /** Begins to take jobs. */
  begin(): void
  /** Reads how many jobs wait, for `depth` and `ofKind`. */
  refresh(): Promise<void>
  /** Whether this node runs jobs. */
  takes: boolean
}

/** Milliseconds: the queue notices within `lock` and `check` that a node is gone that had taken a job. */
const LIVENESS = { lock: 10_000, check: 5000 }

/** Milliseconds that a shutdown waits for Redis. */
const CLOSE_TIMEOUT_MS = 1000

const KINDS = ['light', 'heavy'] as const

/**
 * Creates a queue on BullMQ. The database admits, orders and ends conversions; Redis only delivers them. BullMQ may
 * deliver a job twice or after its end. Then its claim fails, and nothing happens.
 *
 * Each group of equal nodes has a queue for each kind of job. A job is delivered to every group that can run it. Who
 * takes it first removes it from the others.
 */
export function createSharedQueue({
  run,
  backlog,
  redis,
  another,
  prefix,
  membership,
  group,
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
  membership: {
    holds(): boolean
    workers(): KindCounts
    roster: Workforce & { groups(): ReadonlySet<string> }
  }
  /** The group of this node; undefined: it runs no jobs. */
  group: string | undefined
  /** Tells the other nodes to stop a job. */
  cancelElsewhere: (id: string, message: string) => void
  /** Maximum number of jobs that this node runs at the same time. */
  workers: KindCounts
  log: Logger
}): SharedQueue {
  const running = createRunning(run)
  const deliveries = createDeliveries(redis, prefix, log)
  const depth = createDepth(backlog.count)
  let closing = false
  let begun = false
  /** Whether the last delivery failed. That is logged once until one succeeds. */
  let late = false

  async function fill(lane?: string): Promise<void> {
    const { roster, workers } = membership
    const groups = roster.groups()
    if (lane === undefined) deliveries.keep(groups)
    const ready = promotable(await backlog.list(maxRead(workers(), groups.size), lane), roster)
    await deliveries.add(ready)
    if (ready.length) late = false
  }
  function deliverLater(err: unknown): void {
    if (!late) log.warn({ err }, 'conversions are delivered later')
    late = true
  }
  // Each start and each end may ask for it.
  const fillLane = coalesce(fill)
  const deliver = (lane: string) => fillLane(lane).catch(deliverLater)

  const noteStrange = boundedWarning(log, 'jobs in the queue of the nodes are not from a node; ignored')

  async function take(delivery: Job<Delivery>, token?: string): Promise<void> {
    if (!isDelivery(delivery.data)) return noteStrange()
    // It came while the worker was being paused.
    if (closing || !membership.holds()) return leaveToOthers(delivery, token)
    const { job } = delivery.data
    // If one of them ends the node, the other must not be blamed.
    if (job.suspect && running.hasSuspect()) return leaveToOthers(delivery, token, true)
    deliveries.takeBack(delivery, group)
    await running.execute(job)
    if (!closing) void deliver(job.lane) // itself, if it turned out to be heavy
  }

  const takers =
    group === undefined
      ? []
      : KINDS.map((kind) => {
          const times = { lockDuration: LIVENESS.lock, stalledInterval: LIVENESS.check, maxStalledCount: 10 }
          const worker = new Worker<Delivery>(queueName(kind, group), take, {
            connection: another(),
            prefix,
            concurrency: workers[kind],
            ...times,
            removeOnComplete: { count: 0 },
            removeOnFail: { count: 0 },
            autorun: false,
          })
          return worker.on('error', (err) => {
            // BullMQ cannot read a job.
            if (err instanceof SyntaxError) noteStrange()
            else log.debug({ err, kind }, 'queue')
          })
        })

  return {
    fill,
    refresh: depth.refresh,
    takes: takers.length > 0,
    requireOpen() {
      if (closing) throw shuttingDown()
    },

    async enqueue(job) {
      // The request does not wait for Redis.
      void deliver(job.lane)
      depth.add(job.heavy ? 'heavy' : 'light')
      return { queued: true, depth: depth.all() }
    },

    cancel(id, reason) {
      if (!running.abort(id, reason)) cancelElsewhere(id, reason.message)
    },
    // Its record says how it ended. If it has not, because the claim came late, it is queued again.
    stop: (id, message) => void running.abort(id, new HandBack(message)),
    suspend(message) {
      if (begun) for (const worker of takers) void worker.pause(true)
      running.handBack(message)
    },
    resume() {
      if (begun && !closing) for (const worker of takers) void worker.resume()
    },
    begin() {
      begun = true
      for (const worker of takers) {
        // It fails when the worker is closed.
        worker.run().catch((err) => log.debug({ err }, 'queue'))
        if (!membership.holds()) void worker.pause(true)
      }
    },
    has: running.has,
    ids: running.ids,
    depth: depth.all,
    // The place would need the whole backlog for each answer.
    place: () => undefined,
    running: () => running.count(),
    ofKind: (kind) => ({
      waiting: depth.of(kind),
      running: running.count(kind === 'heavy'),
      age: depth.ageOf(kind),
      places: takers.length ? workers[kind] : 0,
    }),

    async close(grace) {
      closing = true
      const within = (all: Promise<unknown>[]) =>
        Promise.race([Promise.allSettled(all), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
      await within(takers.map((worker) => worker.pause(true)))
      await running.end(grace)
      await within([...takers, deliveries].map((each) => each.close()))
    },
  }
}
