import type { Args, Engine, Job } from '../../contract.ts'
import type { ConversionFailure } from '../../errors.ts'
import { callHook, type HookFault } from '../../hooks.ts'
import { flatten } from '../../kit.ts'
import { createStall } from '../limits/stall.ts'
import type { Watchdog } from '../limits/watchdog.ts'
import type { Account } from './account.ts'
import type { Launcher } from './launch.ts'
import { createTail } from './lines.ts'
import type { Running } from './process.ts'
import { failureOf } from './reason.ts'

/** One engine run of a job. */
export interface Task {
  engine: Engine
  /** Absolute path of the engine's program. */
  program: string
  job: Job
  args: Args
  /** Host path of the job's folder. */
  folder: string
  /** Size limit of one file in `/out`, in bytes. */
  maxFileSize: number | undefined
  /** Receives the fraction done, 0 to 1. */
  report: (fraction: number) => void
  /** Records what the run is and what it uses. */
  account: Account
}

/** Services and limits that all runs share. */
export interface RunServices {
  launcher: Launcher
  watchdog: Watchdog
  /** Milliseconds that a run may do nothing; null: no limit. See `createStall`. */
  stalled: number | null
}

/** Handlers for the output of a run. */
interface OutputHandlers {
  /** Receives the fault of an engine whose `progress` fails. */
  onFault(fault: HookFault): void
  /** Called when the fraction done has grown. */
  onProgress(): void
  /** Receives lines of stdout first; return true to hide a line from the other handlers. */
  intercept?(line: string): boolean
}

/** Returns the command line of a run: the engine's `argv` completes the route's arguments. Throws HookFault. */
export const argumentsOf = ({ engine, job, args }: Task) =>
  callHook({ engine: engine.name, hook: 'argv' }, () => flatten(engine.argv(job, flatten(args))))

/** Host paths that a job's programs can write to. */
export const writable = (folder: string) => [`${folder}/out`, `${folder}/scratch`]

/**
 * Starts the engine for this run only and resolves to its last lines. Rejects with ConversionFailure, or with the
 * job's abort reason once the whole process tree is killed.
 */
export async function runOnce(task: Task, { launcher, watchdog, stalled }: RunServices): Promise<string[]> {
  const { engine, program, job, folder, maxFileSize } = task
  const { signal } = job
  signal.throwIfAborted()
  const args = argumentsOf(task)
  const listen = createListener(task)
  const running = launcher.start({ program, args, profile: engine.sandbox, folder })
  let failure: ConversionFailure | undefined
  const fail = (reason: ConversionFailure) => {
    failure ??= reason
    running.kill()
  }
  const stall = createStall(stalled, fail)
  const stopWatching = watchdog.watch({
    pid: running.pid,
    folders: writable(folder),
    maxFileSize: () => maxFileSize,
    onExceeded: fail,
    onPoll: stall.onPoll,
  })
  signal.addEventListener('abort', running.kill, { once: true })
  const lines = listen(running, { onFault: fail, onProgress: stall.onProgress })
  task.account.follow(running, args, lines)
  const ending = await running.ended
  signal.removeEventListener('abort', running.kill)
  stopWatching()
  // Report why the process was killed, not how it ended.
  signal.throwIfAborted()
  if (failure) throw failure
  // If the kernel kills single processes of a cgroup, the first process may still exit with 0.
  if (ending.code !== 0 || ending.exhausted) throw failureOf(engine, job, ending, lines)
  return [...lines]
}

/**
 * Makes a listener that keeps the last lines of a process and reports the progress in them. Throws HookFault if the
 * engine's `progress` fails at once, before any process is started.
 */
export function createListener({ engine, report }: Task) {
  const origin = { engine: engine.name, hook: 'progress' }
  let progress = callHook(origin, () => engine.progress?.())
  let done = 0

  return (running: Running, { onFault, onProgress, intercept }: OutputHandlers): readonly string[] => {
    const tail = createTail()
    running.listen((line, stream) => {
      if (stream === 'stdout' && intercept?.(line)) return
      tail.push(line)
      const fraction = read(line)
      if (typeof fraction !== 'number' || !(fraction >= 0)) return
      report(Math.min(fraction, 1))
      if (fraction <= done) return
      done = fraction
      onProgress()
    })
    return tail.lines

    function read(line: string): unknown {
      try {
        return progress && callHook(origin, () => progress!(line))
      } catch (fault) {
        progress = undefined
        onFault(fault as HookFault)
        return undefined
      }
    }
  }
}
