import PQueue from 'p-queue'
import { lanesAround } from '../../database/lanes.ts'
import type { ConversionFailure } from '../../errors.ts'
import { type Runner, type ScheduledJob, shuttingDown } from './job.ts'
import { createRunning } from './running.ts'
import { heavyShareOf, planShare, shareOf } from './shares.ts'
import { createWaiting } from './waiting.ts'

/** Maximum number of waiting jobs of each kind that `onMoved` gets, and milliseconds between two calls. */
const MAX_MOVED = 50
const MOVED_INTERVAL_MS = 1000

export interface Scheduler {
  /** @throws ServiceError SHUTTING_DOWN. */
  requireOpen(): void
  /** Puts a job into its lanes. Its record exists already, so no limit is checked. */
  enqueue(job: ScheduledJob): Promise<{ queued: boolean; depth: number }>
  /** Cancels a waiting or running job. The reason becomes its failure. */
  cancel(id: string, reason: ConversionFailure): void
  /** Whether a job is waiting or running. */
  has(id: string): boolean
  /** Ids of all waiting and running jobs. */
  ids(): string[]
  /** Number of waiting jobs. */
  depth(): number
  /** Returns the place of a waiting job among those of its kind: 1 is the first. Undefined if it does not wait. */
  place(id: string): number | undefined
  running(): number
  /**
   * Counts the jobs of one kind. `age`: milliseconds since the oldest waiting job was queued; 0: none waits. `places`:
   * the most that run here at the same time. If light and heavy jobs share them, those of light ones are all places.
   */
  ofKind(kind: 'light' | 'heavy'): { waiting: number; running: number; age: number; places: number }
  /** Starts no more jobs, waits up to `grace` milliseconds for running ones, then returns them to the queue. */
  close(grace: number): Promise<void>
}

/**
 * Creates a scheduler with p-queue lanes. A job passes its owner's lane and the wider ones around it, then the
 * machine's heavy lane if it is heavy, then the machine's lane. One owner's light jobs hold at most half of the
 * machine's places, so another owner's job waits for at most one of them.
 */
export function createScheduler({
  run: runner,
  workers: { all: workers, heavy: heavyWorkers },
  onMoved = () => {},
}: {
  run: Runner
  /** Maximum numbers of jobs that run at the same time, and of heavy ones among them. */
  workers: { all: number; heavy: number }
  /** Gets the first waiting jobs of each kind when their places changed, at most once a second. */
  onMoved?: (jobs: readonly ScheduledJob[]) => void
}): Scheduler {
  const machine = new PQueue({ concurrency: workers })
  const heavy = new PQueue({ concurrency: heavyWorkers })
  const lanes = new Map<string, PQueue>()
  const jobs = new Map<string, AbortController>()
  const waiting = createWaiting(moved)
  const running = createRunning(runner)
  let closing = false
  let scheduled = false

  function moved(): void {
    if (scheduled) return
    scheduled = true
    const notify = () => {
      scheduled = false
      onMoved(waiting.first(MAX_MOVED))
    }
    setTimeout(notify, MOVED_INTERVAL_MS).unref()
  }

  function laneNamed(key: string, concurrency: number): PQueue {
    const lane = lanes.get(key) ?? new PQueue({ concurrency })
    // A changed plan applies from the next job on.
    lane.concurrency = concurrency
    if (!lanes.has(key)) {
      lanes.set(key, lane)
      lane.addEventListener('idle', () => lanes.delete(key))
    }
    return lane
  }

  /**
   * Runs work in the lanes of a job, the narrowest first. Each is looked up when the job comes to it: an idle one is
   * dropped.
   */
  function inLanes(job: ScheduledJob, work: () => Promise<void>, level = 0): Promise<void> {
    if (job.suspect) return laneNamed('suspect', 1).add(work)
    const name = lanesAround(job.lane)[level]
    if (name === undefined) return work()
    const share = job.heavy
      ? Math.min(planShare(job.heavyConcurrency, level), heavyShareOf(heavyWorkers, level))
      : shareOf(workers, level)
    return laneNamed(`${job.heavy ? 'heavy' : 'light'}:${name}`, share).add(() => inLanes(job, work, level + 1))
  }

  async function execute(
    job: ScheduledJob,
    controller: AbortController,
    requeueAsHeavy: (job: ScheduledJob) => void,
  ): Promise<void> {
    // The job was cancelled while waiting, or the service stops. Its record already says how it continues.
    if (closing || controller.signal.aborted) return
    waiting.remove(job.id)
    await running.execute(job, controller, requeueAsHeavy)
  }

  function leave(id: string): void {
    waiting.remove(id)
    jobs.delete(id)
  }

  function add(job: ScheduledJob): void {
    const controller = new AbortController()
    jobs.set(job.id, controller)
    waiting.add(job)
    let next: ScheduledJob | undefined
    const requeueAsHeavy = (heavier: ScheduledJob) => {
      next = heavier
    }
    const inMachine = () => machine.add(() => execute(job, controller, requeueAsHeavy))
    void inLanes(job, () => (job.heavy ? heavy.add(inMachine) : inMachine())).finally(() => {
      leave(job.id)
      // If it was cancelled meanwhile, its record has ended.
      if (next && !controller.signal.aborted) add(next)
    })
  }

  return {
    requireOpen() {
      if (closing) throw shuttingDown()
    },

    async enqueue(job) {
      add(job)
      // Free lanes start a job before this resolves. A job that still waits afterwards is queued.
      await new Promise(setImmediate)
      return { queued: waiting.has(job.id), depth: waiting.size() }
    },

    cancel(id, reason) {
      jobs.get(id)?.abort(reason)
      // The lanes skip it when its turn comes. Its place is free at once.
      if (waiting.has(id)) leave(id)
    },
    has: (id) => jobs.has(id),
    ids: () => [...jobs.keys()],
    depth: waiting.size,
    place: waiting.place,
    running: () => running.count(),
    ofKind(kind) {
      const isHeavy = kind === 'heavy'
      return {
        ...waiting.kind(isHeavy),
        running: running.count(isHeavy),
        places: isHeavy ? Math.min(heavyWorkers, workers) : workers,
      }
    },

    async close(grace) {
      closing = true
      await running.end(grace)
    },
  }
}
