import type { Args, Engine, Job } from '../contract.ts'
import type { ConversionFailure } from '../errors.ts'
import { callHook, type HookFault } from '../hooks.ts'
import type { Account } from './account.ts'
import { flatten } from './arguments.ts'
import type { Launcher } from './launch.ts'
import { createTail } from './lines.ts'
import type { Running } from './process.ts'
import { failureOf } from './reason.ts'
import { createStall } from './stall.ts'
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
  /** Bytes that one file of `/out` may have. */
  most: number | undefined
  /** Takes the fraction done, 0 to 1. */
  report: (fraction: number) => void
  /** Takes down what the run is and uses. */
  account: Account
}

/** What runs need from their surroundings. */
export interface Ground {
  launcher: Launcher
  watchdog: Watchdog
  /** Milliseconds that a run may do nothing; null for no bound. See `createStall`. */
  stalled: number | null
}

/** What a run's output can lead to. */
interface Hearing {
  /** Takes the fault of an engine whose `progress` breaks. */
  fail(fault: HookFault): void
  /** Told when the fraction done has grown. */
  progressed(): void
  /** Takes lines of standard output first; true keeps them from the rest. */
  also?(line: string): boolean
}

/** The command line of a run: the route's arguments in the engine's frame. Throws HookFault. */
export const argumentsOf = ({ engine, job, args }: Task) =>
  callHook({ engine: engine.name, hook: 'argv' }, () => flatten(engine.argv(job, flatten(args))))

/** Host paths that a job's programs can write to. */
export const writable = (folder: string) => [`${folder}/out`, `${folder}/scratch`]

/**
 * Starts the engine for this run alone and resolves to its last lines. Rejects with ConversionFailure, or with the
 * job's abort reason once its whole tree is killed.
 */
export async function runOnce(task: Task, ground: Ground): Promise<string[]> {
  const { engine, program, job, folder } = task
  job.signal.throwIfAborted()
  const args = argumentsOf(task)
  const hear = createListener(task)
  const running = ground.launcher.start({ program, args, profile: engine.sandbox, folder })
  let lines: readonly string[] = []
  const ending = await attended(running, task, ground, (hearing) => {
    lines = hear(running, hearing)
    task.account.follow(running, args, lines)
    return running.ended
  })
  // With a kernel that ends single processes of a group, the first may have ended well.
  if (ending.code !== 0 || ending.exhausted) throw failureOf(engine, job, ending, lines)
  return [...lines]
}

/**
 * Makes what keeps the last lines that a process prints and reports the progress in them. Throws HookFault when the
 * engine's `progress` breaks at once: no process need be started then.
 */
export function createListener({ engine, report }: Task) {
  const origin = { engine: engine.name, hook: 'progress' }
  let progress = callHook(origin, () => engine.progress?.())
  let done = 0

  return (running: Running, { fail, progressed, also }: Hearing): readonly string[] => {
    const tail = createTail()
    running.listen((line, stream) => {
      if (stream === 'stdout' && also?.(line)) return
      tail.push(line)
      const fraction = read(line)
      if (typeof fraction !== 'number' || !(fraction >= 0)) return
      report(Math.min(fraction, 1))
      if (fraction <= done) return
      done = fraction
      progressed()
    })
    return tail.lines

    function read(line: string): unknown {
      try {
        return progress && callHook(origin, () => progress!(line))
      } catch (fault) {
        progress = undefined
        fail(fault as HookFault)
        return undefined
      }
    }
  }
}

/**
 * Waits for the end that `begin` resolves to, while the watchdog, standing still, the engine's own faults and the job's
 * signal may kill the process. Rejects with their reason then, after the process has ended.
 */
async function attended<T>(
  running: Running,
  { job: { signal }, folder, most }: Pick<Task, 'job' | 'folder' | 'most'>,
  { watchdog, stalled }: Ground,
  begin: (hearing: Hearing) => Promise<T>,
): Promise<T> {
  let failure: ConversionFailure | undefined
  const fail = (reason: ConversionFailure) => {
    failure ??= reason
    running.kill()
  }
  const stall = createStall(stalled, fail)
  const stopWatching = watchdog.watch({
    pid: running.pid,
    folders: writable(folder),
    most: () => most,
    exceeded: fail,
    looked: stall.looked,
  })
  signal.addEventListener('abort', running.kill, { once: true })
  const [outcome] = await Promise.allSettled([begin({ fail, progressed: stall.progressed })])
  signal.removeEventListener('abort', running.kill)
  stopWatching()
  // The reason of a kill counts, not the ending that it caused.
  if (signal.aborted || failure) await running.ended
  signal.throwIfAborted()
  if (failure) throw failure
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
