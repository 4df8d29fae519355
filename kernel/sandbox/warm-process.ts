import type { Engine, Failure } from '../contract.ts'
import type { ConversionFailure } from '../errors.ts'
import { flatten } from '../kit.ts'
import { createTail } from './lines.ts'
import { explained, failureOf, type ProcessEnd, refusal } from './reason.ts'
import { argumentsOf, createListener, type Ground, type Task, writable } from './run.ts'
import { createStall, type Stall } from './stall.ts'

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
  /**
   * Gives it the rehearsal of its engine, if there is one. Resolves to undefined when that is done; if it fails, or
   * takes longer than 20 s, to the last lines of output.
   */
  rehearse(): Promise<readonly string[] | undefined>
  /**
   * Gives it one run. Like `runOnce`, but the process stays alive after a success, or if it refuses the file. Resolves
   * to undefined if its rehearsal ended it: then it has not seen the job.
   */
  run(task: Task): Promise<string[] | undefined>
  kill(): void
}

/** Milliseconds that a boot may take, and a rehearsal. */
const BOOT = 60_000
const REHEARSAL = 20_000
/** CPU time that a process may use between jobs: seconds, plus a share of the time that it waits. */
const IDLE_CPU = { seconds: 2, share: 0.02 }

/** Starts a process of a warm engine in a job folder. */
export function startWarm(
  engine: Engine,
  program: string,
  folder: string,
  { launcher, watchdog, stalled }: Ground,
): WarmProcess {
  const args = flatten(engine.warm!.argv)
  const practice = engine.warm!.rehearsal && flatten(engine.warm!.rehearsal)
  const running = launcher.start({ program, args, profile: engine.sandbox, folder, warm: true })
  const booted = Promise.withResolvers<boolean>()
  const boot = createTail()
  const timer = setTimeout(kill, BOOT).unref()
  let alive = true
  let ended = false
  let busy = false
  let most: number | undefined
  let exceeded: ConversionFailure | undefined
  let stall: Stall | undefined
  /** The first look since its last job; undefined: nobody has looked since. */
  let idle: { cpu: number; since: number } | undefined
  let stopWatching: (() => void) | undefined
  /** Resolves to whether its rehearsal was done. */
  let rehearsed: Promise<boolean> | undefined

  running.listen((line) => (line === 'ready' ? booted.resolve(true) : boot.push(line)))
  void booted.promise.then(() => clearTimeout(timer))
  const gone = running.ended.then((ending) => {
    alive = false
    ended = true
    stopWatching?.()
    booted.resolve(false)
    return ending
  })

  return {
    engine,
    folder,
    pid: running.pid,
    ready: booted.promise,
    gone,
    rehearse,
    run,
    kill,
    get alive() {
      return alive
    },
    get ended() {
      return ended
    },
    get busy() {
      return busy
    },
  }

  async function rehearse(): Promise<readonly string[] | undefined> {
    if (!practice || !alive) return undefined
    const answered = Promise.withResolvers<Answer>()
    running.listen((line, stream) => {
      boot.push(line)
      const answer = stream === 'stdout' && parseAnswer(line)
      if (answer) answered.resolve(answer)
    })
    running.write(JSON.stringify(practice))
    const bound = setTimeout(kill, REHEARSAL).unref()
    rehearsed = Promise.race([answered.promise, gone]).then((end) => 'done' in end)
    const isDone = await rehearsed
    clearTimeout(bound)
    return isDone ? undefined : boot.lines
  }

  async function run(task: Task): Promise<string[] | undefined> {
    const { signal } = task.job
    signal.throwIfAborted()
    busy = true
    stall = createStall(stalled, fail)
    most = task.most
    // Before its first job it needs no watching: it has read no untrusted file.
    stopWatching ??= watch()
    signal.addEventListener('abort', kill, { once: true })
    try {
      const isReady = await booted.promise
      if ((await rehearsed) === false && !alive && !signal.aborted && !exceeded) return undefined
      const lines = isReady ? await ask(task) : undefined
      if (lines) return lines
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
      busy = false
    }
  }

  async function ask(task: Task): Promise<string[]> {
    const answered = Promise.withResolvers<Answer>()
    const args = argumentsOf(task)
    const lines = createListener(task)(running, {
      fail,
      progressed: () => stall?.progressed(),
      also(line) {
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
    alive = false
    running.kill()
  }

  function watch() {
    return watchdog.watch({
      pid: running.pid,
      folders: writable(folder),
      idle: () => !busy,
      most: () => most,
      exceeded: fail,
      looked(cpu) {
        stall?.looked(cpu)
        if (busy) return
        // Most of the CPU time until now was for the boot and for jobs, which may all fall between two looks.
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
