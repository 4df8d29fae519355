import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { until } from '../until.ts'

/** A server of a test in a process of its own. */
export interface Child extends AsyncDisposable {
  /** Of its first process. */
  pid: number
  /** Its output so far. */
  log(): string
  /** Ends it, if it runs; resolves to its exit code, or null if a signal killed it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Starts it again; resolves when it answers. */
  start(): Promise<void>
  /** Suspends it, with open connections, until `resume`. When this returns, nothing of it runs. */
  pause(): void
  resume(): void
}

/**
 * Starts a server; resolves when it answers.
 *
 * @param answers Rejects, or resolves to false, until it does.
 * @param options Of `spawn`. @param options.end The signal that ends it; default: SIGTERM.
 */
export async function startChild(
  [program, ...args]: readonly string[],
  answers: () => Promise<unknown>,
  { end = 'SIGTERM', ...options }: Parameters<typeof spawn>[2] & { end?: NodeJS.Signals } = {},
): Promise<Child> {
  let log = ''
  let child: ChildProcess
  const runs = () => child.exitCode === null && child.signalCode === null
  async function start(): Promise<void> {
    child = spawn(program!, args, options)
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (said) => (log += said))
    const ready = until(async () => {
      if (!runs()) throw new Error('it ended')
      return answers().then(
        (answer) => answer !== false,
        () => false,
      )
    }, 300_000)
    await ready.catch((cause) => {
      child.kill('SIGKILL')
      throw new Error(`${program} did not start: ${log}`, { cause })
    })
  }
  async function stop(signal = end): Promise<number | null> {
    if (!runs()) return child.exitCode
    const gone = once(child, 'exit')
    child.kill(signal)
    // A suspended one gets the signal when it goes on.
    child.kill('SIGCONT')
    await gone
    return child.exitCode
  }
  function pause(): void {
    child.kill('SIGSTOP')
    // Until one of its threads has taken the signal, all go on: on a busy machine, for a whole transaction. The kernel
    // then stops them together, so the state of the first tells of all. One that has ended is not waited for.
    const goesOn = () => /\) [RSD] /.test(readFileSync(`/proc/${child.pid}/stat`, 'latin1'))
    while (goesOn()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
  }
  await start()
  return {
    pid: child!.pid!,
    log: () => log,
    stop,
    start,
    pause,
    resume: () => void child.kill('SIGCONT'),
    [Symbol.asyncDispose]: async () => void (await stop()),
  }
}
