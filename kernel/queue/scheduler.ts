import PQueue from 'p-queue'
import { ConversionFailure, ServiceError } from '../errors.ts'

/** What the scheduler knows of a conversion. */
export interface ScheduledJob {
  id: string
  owner: string
  /** Waits in the heavy lanes too. */
  heavy: boolean
  /** Heavy jobs that the owner's plan runs at one time; null for no bound. */
  heavyConcurrency: number | null
  /** Milliseconds of wall time. */
  timeout: number
  /**
   * Whether the service stopped while it ran. Of these one runs at a time: when the service stops again, that one has
   * the second mark and not its neighbours. Default: false.
   */
  suspect?: boolean
}

/** Runs a job. It must end soon after the signal aborts, and never reject. */
export type Runner = (job: ScheduledJob, signal: AbortSignal) => Promise<void>

/** The signal's reason when a job goes back to the queue, since the service stops. */
export class HandBack extends Error {
  override name = 'HandBack'
}

export interface Scheduler {
  /**
   * Takes a place in the queue, to be used by `enqueue` or given back by `release`.
   * @throws ServiceError QUEUE_FULL_USER, QUEUE_FULL_GLOBAL, SHUTTING_DOWN.
   */
  reserve(owner: string, pendingJobs: number | null): Reservation
  /** Puts a job into its lanes. Without a reservation (after a restart) no limit is asked. */
  enqueue(job: ScheduledJob, reservation?: Reservation): Promise<{ queued: boolean; depth: number }>
  /** Ends a job, whether it waits or runs. The reason becomes its failure. */
  cancel(id: string, reason: ConversionFailure): void
  /** Whether a job waits or runs. */
  has(id: string): boolean
  /** Ids of all jobs that wait or run. */
  ids(): string[]
  /** Jobs that wait. */
  depth(): number
  running(): number
  /** What waits and runs of one kind. `age`: milliseconds that the oldest of those that wait has waited here; 0: none. */
  lane(name: 'light' | 'heavy'): { waiting: number; running: number; age: number }
  /** Starts nothing more, waits up to `grace` milliseconds for what runs, then hands it back. */
  close(grace: number): Promise<void>
}

export interface Reservation {
  release(): void
}

/**
 * Lanes on p-queue: an owner's lanes in front of the machine's heavy lane in front of the machine's lane. One owner
 * holds at most half of the machine's places, so that another's job waits for no more than one of them.
 */
export function createScheduler({
  run: runner,
  capacity,
  workers,
  heavyWorkers,
}: {
  run: Runner
  /** Jobs that may wait in all. */
  capacity: number
  /** Jobs that run at one time. */
  workers: number
  /** Heavy jobs that run at one time. */
  heavyWorkers: number
}): Scheduler {
  const machine = new PQueue({ concurrency: workers })
  const heavy = new PQueue({ concurrency: heavyWorkers })
  const owners = new Map<string, PQueue>()
  const pending = new Map<string, number>()
  const jobs = new Map<string, { controller: AbortController; reservation: Reservation }>()
  /** Jobs that wait, in the order in which they came. */
  const waiting = new Map<string, { heavy: boolean; since: number }>()
  const running = new Map<string, Promise<void>>()
  let heavyRunning = 0
  let closing = false

  function laneOf(job: ScheduledJob): PQueue {
    const key = job.suspect ? 'suspect' : `${job.heavy ? 'heavy' : 'light'}:${job.owner}`
    const own = job.heavy ? (job.heavyConcurrency ?? Infinity) : Math.max(1, Math.ceil(workers / 2))
    const concurrency = job.suspect ? 1 : own
    const lane = owners.get(key) ?? new PQueue({ concurrency })
    // A changed plan counts from the next job on.
    lane.concurrency = concurrency
    if (!owners.has(key)) {
      owners.set(key, lane)
      lane.addEventListener('idle', () => owners.delete(key))
    }
    return lane
  }

  function reserve(owner: string): Reservation {
    pending.set(owner, (pending.get(owner) ?? 0) + 1)
    let held = true
    return {
      release() {
        if (!held) return
        held = false
        const left = pending.get(owner)! - 1
        if (left) pending.set(owner, left)
        else pending.delete(owner)
      },
    }
  }

  async function execute(job: ScheduledJob, controller: AbortController): Promise<void> {
    // Cancelled while it waited, or the service stops: its record says what becomes of it.
    if (closing || controller.signal.aborted) return
    waiting.delete(job.id)
    const seconds = Math.round(job.timeout / 1000)
    const late = new ConversionFailure('TIMEOUT', `The conversion took longer than ${seconds} seconds and was stopped`)
    const timer = setTimeout(() => controller.abort(late), job.timeout)
    const run = runner(job, controller.signal)
    running.set(job.id, run)
    if (job.heavy) heavyRunning++
    await run
    if (job.heavy) heavyRunning--
    clearTimeout(timer)
    running.delete(job.id)
  }

  function leave(id: string): void {
    waiting.delete(id)
    jobs.get(id)?.reservation.release()
    jobs.delete(id)
  }

  return {
    reserve(owner, pendingJobs) {
      if (closing)
        throw new ServiceError('SHUTTING_DOWN', 'The service is restarting; try again soon', { retryAfter: 5 })
      if (pendingJobs !== null && (pending.get(owner) ?? 0) >= pendingJobs) {
        throw ownQueueFull(pendingJobs)
      }
      if (waiting.size >= capacity) {
        throw queueFull()
      }
      return reserve(owner)
    },

    async enqueue(job, reservation = reserve(job.owner)) {
      const controller = new AbortController()
      jobs.set(job.id, { controller, reservation })
      waiting.set(job.id, { heavy: job.heavy, since: performance.now() })
      const inMachine = () => machine.add(() => execute(job, controller))
      void laneOf(job)
        .add(() => (job.heavy ? heavy.add(inMachine) : inMachine()))
        .finally(() => leave(job.id))
      // Free lanes start a job within these turns; what still waits then is queued.
      await new Promise(setImmediate)
      return { queued: waiting.has(job.id), depth: waiting.size }
    },

    cancel(id, reason) {
      jobs.get(id)?.controller.abort(reason)
      // Its turn in the lanes will pass without it; its place is free at once.
      if (waiting.has(id)) leave(id)
    },
    has: (id) => jobs.has(id),
    ids: () => [...jobs.keys()],
    depth: () => waiting.size,
    running: () => running.size,
    lane(name) {
      const of = [...waiting.values()].filter(({ heavy }) => heavy === (name === 'heavy'))
      const runs = name === 'heavy' ? heavyRunning : running.size - heavyRunning
      return { waiting: of.length, running: runs, age: of[0] ? performance.now() - of[0].since : 0 }
    },

    async close(grace) {
      closing = true
      const timer = setTimeout(() => {
        for (const id of running.keys()) jobs.get(id)?.controller.abort(new HandBack('The service stops'))
      }, grace)
      await Promise.all(running.values())
      clearTimeout(timer)
    },
  }
}

/** @param most Conversions that the plan allows to be pending. */
export const ownQueueFull = (most: number) =>
  new ServiceError(
    'QUEUE_FULL_USER',
    `You have ${most} conversions pending, as many as your plan allows; wait for one to end`,
    { retryAfter: 5 },
  )

export const queueFull = () =>
  new ServiceError('QUEUE_FULL_GLOBAL', 'The queue is full; try again later', { retryAfter: 15 })
