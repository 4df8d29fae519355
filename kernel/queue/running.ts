import { ConversionFailure } from '../errors.ts'
import { HandBack, type Runner, type ScheduledJob } from './job.ts'

/** The jobs that run in this process. */
export interface RunningJobs {
  /** Runs a job within its time. Does nothing if its signal has aborted. */
  execute(job: ScheduledJob, controller?: AbortController): Promise<void>
  /** Aborts a job. Returns whether it runs here. */
  abort(id: string, reason: Error): boolean
  /** Aborts all jobs and returns them to the queue. */
  handBack(message: string): void
  has(id: string): boolean
  ids(): string[]
  /** @param heavy Counts only the heavy jobs, or only the light ones. */
  count(heavy?: boolean): number
  /** Waits up to `grace` milliseconds for the jobs, then returns them to the queue. */
  end(grace: number): Promise<void>
}

export function createRunning(run: Runner): RunningJobs {
  const jobs = new Map<string, { controller: AbortController; heavy: boolean; ended: Promise<void> }>()

  function handBack(message: string): void {
    for (const { controller } of jobs.values()) controller.abort(new HandBack(message))
  }

  return {
    async execute(job, controller = new AbortController()) {
      if (controller.signal.aborted) return
      const seconds = Math.round(job.timeout / 1000)
      const late = new ConversionFailure(
        'TIMEOUT',
        `The conversion took longer than ${seconds} seconds and was stopped`,
      )
      const timer = setTimeout(() => controller.abort(late), job.timeout)
      const entry = { controller, heavy: job.heavy, ended: run(job, controller.signal) }
      jobs.set(job.id, entry)
      await entry.ended
      clearTimeout(timer)
      // A later attempt may have begun.
      if (jobs.get(job.id) === entry) jobs.delete(job.id)
    },

    abort(id, reason) {
      jobs.get(id)?.controller.abort(reason)
      return jobs.has(id)
    },
    handBack,
    has: (id) => jobs.has(id),
    ids: () => [...jobs.keys()],
    count: (heavy) =>
      heavy === undefined ? jobs.size : [...jobs.values()].filter((job) => job.heavy === heavy).length,

    async end(grace) {
      const timer = setTimeout(() => handBack('The service stops'), grace)
      await Promise.all([...jobs.values()].map(({ ended }) => ended))
      clearTimeout(timer)
    },
  }
}
