import type { Engine, Failure } from '../../contract.ts'
import type { ConversionFailure } from '../../errors.ts'
import { flatten } from '../../kit.ts'
import { createStall, type Stall } from '../limits/stall.ts'
import { createTail } from '../process/lines.ts'
import { explained, failureOf, type ProcessEnd, refusal } from '../process/reason.ts'
import { argumentsOf, createListener, type RunServices, type Task, writable } from '../process/run.ts'

/** A process of a warm engine, started before its job is known. */
export interface WarmProcess {
  readonly engine: Engine
  readonly folder: string
  readonly pid: number | undefined
  /** Resolves to true when it has booted; to false if it ends first, or does not boot within a minute. */
  readonly ready: Promise<boolean>
  /** Resolves when it has ended. */
  readonly gone: Promise<ProcessEnd>
  /** Whether it can take a job: it has not ended, and was not killed. */
  readonly alive: boolean
  /** Whether nothing of it runs any more: `gone` has resolved. A killed process runs on for a moment. */
  readonly ended: boolean
  readonly busy: boolean
  /** Gives it one run. Like `runOnce`, but the process stays alive after a success, or if it refuses the file. */
  run(task: Task): Promise<string[]>
  kill(): void
}

/** Milliseconds that a boot may take. */
const BOOT_TIMEOUT_MS = 60_000
/** CPU time that a process may use between jobs: seconds, plus a share of the time that it waits. */
const IDLE_CPU = { seconds: 2, share: 0.02 }

/** Starts a process of a warm engine in a job folder. */
export function startWarm(
  engine: Engine,
  program: string,
  folder: string,
  { launcher, watchdog, stalled }: RunServices,
): WarmProcess {
  const args = flatten(engine.warm!.argv)
  const running = launcher.start({ program, args, profile: engine.sandbox, folder, warm: true })
  const booted = Promise.withResolvers<boolean>()
  const boot = createTail()
  const timer = setTimeout(kill, BOOT_TIMEOUT_MS).unref()
  let maxFileSize: number | undefined
  let exceeded: ConversionFailure | undefined
  let stall: Stall | undefined
  /** The first poll since its last job; undefined: there was none since. */
  let idle: { cpu: number; since: number } | undefined
  let stopWatching: (() => void) | undefined

  running.listen((line) => (line === 'ready' ? booted.resolve(true) : boot.push(line)))
  void booted.promise.then(() => clearTimeout(timer))
  const gone = running.ended.then((ending) => {
    self.alive = false
    self.ended = true
    stopWatching?.()
    booted.resolve(false)
    return ending
  })

  const self = {
    engine,
    folder,
    pid: running.pid,
    ready: booted.promise,
    gone,
    alive: true,
    ended: false,
    busy: false,
    run,
    kill,
  }
  return self

  async function run(task: Task): Promise<string[]> {
    const { signal } = task.job
    signal.throwIfAborted()
    self.busy = true
    stall = createStall(stalled, fail)
    maxFileSize = task.maxFileSize
    // Before its first job it needs no watching: it has read no untrusted file.
    stopWatching ??= watch()
    signal.addEventListener('abort', kill, { once: true })
    try {
      if (await booted.promise) return await ask(task)
      throw failureOf(engine, task.job, await gone, boot.lines)
    } catch (error) {
      if (signal.aborted || exceeded) await gone
      signal.throwIfAborted()
      throw exceeded ?? error
    } finally {
      signal.removeEventListener('abort', kill)
      running.listen(() => {})
      idle = undefined
      stall = undefined
      self.busy = false
    }
  }

  async function ask(task: Task): Promise<string[]> {
    const answered = Promise.withResolvers<Answer>()
    const args = argumentsOf(task)
    const lines = createListener(task)(running, {
      onFault: fail,
      onProgress: () => stall?.onProgress(),
      intercept(line) {
        const answer = parseAnswer(line)
        if (answer) answered.resolve(answer)
        return answer !== undefined
      },
    })
    task.account.follow(running, args, lines)
    running.write(JSON.stringify(args))
    const end = await Promise.race([answered.promise, gone])
    if ('done' in end) return [...lines]
    if ('code' in end) throw failureOf(engine, task.job, end, lines)
    task.account.note(JSON.stringify(end.error))
    const cause = new Error(`${engine.name} answered ${JSON.stringify(end.error)}:\n${lines.slice(-20).join('\n')}`)
    throw end.error.message ? refusal(end.error, task.job, cause) : explained(engine, task.job, lines, cause)
  }

  function fail(failure: ConversionFailure) {
    exceeded ??= failure
    kill()
  }

  function kill() {
    self.alive = false
    running.kill()
  }

  function watch() {
    return watchdog.watch({
      pid: running.pid,
      folders: writable(folder),
      idle: () => !self.busy,
      maxFileSize: () => maxFileSize,
      onExceeded: fail,
      onPoll(cpu) {
        stall?.onPoll(cpu)
        if (self.busy) return
        // Most of the CPU time until now was for the boot and for jobs, which may all fall between two polls.
        idle ??= { cpu, since: performance.now() }
        const allowed = IDLE_CPU.seconds + ((performance.now() - idle.since) / 1000) * IDLE_CPU.share
        if (cpu - idle.cpu > allowed) kill()
      },
    })
  }
}

type Answer = { done: true } | { error: Failure }

/** Parses the last line of a job, `{"done":true}` or `{"error":{"code":…,"message":…}}`; undefined for other lines. */
function parseAnswer(line: string): Answer | undefined {
  if (!line.startsWith('{"done":') && !line.startsWith('{"error":')) return undefined
  try {
    const answer = JSON.parse(line)
    if (answer.done === true) return { done: true }
    const { code, message } = answer.error
    return typeof code === 'string' && typeof message === 'string'
      ? { error: { code: code as Failure['code'], message } }
      : undefined
  } catch {
    return undefined
  }
}
