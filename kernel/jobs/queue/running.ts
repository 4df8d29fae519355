import { ConversionFailure } from '../../errors.ts'
import { HandBack, type Runner, type ScheduledJob } from './job.ts'

/** The jobs that run in this process. */
export function createRunning(run: Runner) {
  // Not by id: a job may be delivered again while it runs, and then its second run finds nothing to claim.
  const jobs = new Set<
    Pick<ScheduledJob, 'id' | 'heavy' | 'suspect'> & { controller: AbortController; ended: Promise<void> }
  >()

  /** Aborts all jobs and returns them to the queue. */
  function handBack(message: string): void {
    for (const { controller } of jobs) controller.abort(new HandBack(message))
  }
  const has = (id: string) => [...jobs].some((job) => job.id === id)

  return {
    /** Runs a job within its time. Does nothing if its signal has aborted. */
    async execute(
      job: ScheduledJob,
      controller: AbortController = new AbortController(),
      requeueAsHeavy: (job: ScheduledJob) => void = () => {},
    ) {
      if (controller.signal.aborted) return
      const { id, heavy, suspect, timeout } = job
      const timer = setTimeout(() => controller.abort(late(timeout)), timeout)
      const entry = { id, controller, heavy, suspect, ended: run(job, controller.signal, requeueAsHeavy) }
      jobs.add(entry)
      await entry.ended
      clearTimeout(timer)
      jobs.delete(entry)
    },

    /** Aborts a job. Returns whether it runs here. */
    abort(id: string, reason: Error) {
      for (const job of jobs) if (job.id === id) job.controller.abort(reason)
      return has(id)
    },
    handBack,
    has,
    /** Whether a suspect job runs. */
    hasSuspect: () => [...jobs].some(({ suspect }) => suspect),
    ids: () => [...new Set([...jobs].map(({ id }) => id))],
    /** @param heavy Counts only the heavy jobs, or only the light ones. */
    count: (heavy?: boolean) =>
      heavy === undefined ? jobs.size : [...jobs].filter((job) => job.heavy === heavy).length,

    /** Waits up to `grace` milliseconds for the jobs, then returns them to the queue. */
    async end(grace: number) {
      const timer = setTimeout(() => handBack('The service stops'), grace)
      await Promise.all([...jobs].map(({ ended }) => ended))
      clearTimeout(timer)
    },
  }
}

/** Failure of a conversion whose time is over. @param timeout Milliseconds. */
const late = (timeout: number) =>
  new ConversionFailure(
    'TIMEOUT',
    `The conversion took longer than ${Math.round(timeout / 1000)} seconds and was stopped`,
  )
