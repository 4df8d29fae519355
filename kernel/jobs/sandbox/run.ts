import type { Args, Engine, Job } from '../../contract.ts'
import type { ConversionFailure } from '../../errors.ts'
import { flatten } from './arguments.ts'
import type { Launcher } from './launch.ts'
import { createTail } from './lines.ts'
import type { Running } from './process.ts'
import { failureOf } from './reason.ts'
import type { Watchdog } from './watchdog.ts'

/** One engine run of a job. */
export interface Task {
  engine: Engine
  /** Absolute path of the engine's program. */
  program: string
  job: Job
  args: Args
  /** Host path of the job's folder. */
  folder: string
  /** Takes the fraction done, 0 to 1. */
  report: (fraction: number) => void
}

/** What runs need from their surroundings. */
export interface Ground {
  launcher: Launcher
  watchdog: Watchdog
}

/** The command line of a run: the route's arguments in the engine's frame. */
export const argumentsOf = ({ engine, job, args }: Task) => flatten(engine.argv(job, flatten(args)))

/** Host paths that a job's programs can write to. */
export const writable = (folder: string) => [`${folder}/out`, `${folder}/scratch`]

/**
 * Starts the engine for this run alone and resolves to its last lines. Rejects with ConversionFailure, or with the
 * job's abort reason once its whole tree is killed.
 */
export async function runOnce(task: Task, { launcher, watchdog }: Ground): Promise<string[]> {
  const { engine, program, job, folder } = task
  job.signal.throwIfAborted()
  const running = launcher.start({ program, args: argumentsOf(task), profile: engine.sandbox, folder })
  const lines = listen(running, task)
  const { code, error } = await attended(running, task, watchdog, () => running.ended)
  if (code !== 0) {
    throw failureOf(engine, job, { code, ...(error && { error }) }, lines)
  }
  return [...lines]
}

/** Keeps the last lines that a process prints and reports the progress in them. */
export function listen(running: Running, { engine, report }: Task, also?: (line: string) => boolean | undefined) {
  const tail = createTail()
  const progress = engine.progress?.()
  running.listen((line, stream) => {
    if (stream === 'stdout' && also?.(line)) return
    tail.push(line)
    const fraction = progress?.(line)
    if (fraction !== undefined && fraction >= 0) report(Math.min(fraction, 1))
  })
  return tail.lines
}

/**
 * Waits for `end` while the watchdog and the job's signal may kill the process. Rejects with their reason then, after
 * the process has ended.
 */
async function attended<T>(
  running: Running,
  { job: { signal }, folder }: Pick<Task, 'job' | 'folder'>,
  watchdog: Watchdog,
  end: () => Promise<T>,
): Promise<T> {
  let failure: ConversionFailure | undefined
  const stopWatching = watchdog.watch({
    pid: running.pid,
    folders: writable(folder),
    exceeded(reason) {
      failure = reason
      running.kill()
    },
  })
  signal.addEventListener('abort', running.kill, { once: true })
  const [outcome] = await Promise.allSettled([end()])
  signal.removeEventListener('abort', running.kill)
  stopWatching()
  // The reason of a kill counts, not the ending that it caused.
  if (signal.aborted || failure) await running.ended
  signal.throwIfAborted()
  if (failure) throw failure
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
