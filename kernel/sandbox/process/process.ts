import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { execa, type Options } from 'execa'
import type { Group } from '../limits/cgroup.ts'
import { killFirst } from '../limits/oom-score.ts'
import { followInit } from './init.ts'
import { createSplitter } from './lines.ts'
import type { ProcessEnd } from './reason.ts'

/** A running engine process. */
export interface Running {
  readonly pid: number | undefined
  /**
   * Resolves when the process has ended, its sandbox is gone and its output is read. After a kill it resolves within
   * 2 s in any case. Never rejects.
   */
  readonly ended: Promise<ProcessEnd>
  /** Passes each line of both output streams to `listener`, which replaces the previous one. */
  listen(listener: (line: string, stream: 'stdout' | 'stderr') => void): void
  /** Also passes the raw chunks of both output streams to `reader`. */
  read(reader: (chunk: Buffer) => void): void
  /** Writes one line to stdin, if the process was started with stdin open. */
  write(line: string): void
  /** Kills the process and everything that it started, with SIGKILL. */
  kill(): void
}

/** Milliseconds after a kill until a process counts as ended in any case. */
const KILL_GRACE_MS = 2000

/**
 * Milliseconds that a program of the machine may take to answer when the service tries it out. From a slow disk, on a
 * busy machine, a first start can take a minute.
 */
export const TRIAL_TIMEOUT_MS = 120_000

/** Descriptor on which bwrap reports its sandbox's first process, if it is a pipe. */
export const INFORMATION = 5

/**
 * Starts a program and reads its output within limits. Never throws: `ended` reports a failed start.
 *
 * @param group cgroup for this program only; closed when the program has ended
 */
export function start(program: string, args: readonly string[], options: Options, group?: Group): Running {
  const child = execa(program, args, {
    ...options,
    extendEnv: false,
    buffer: false,
    reject: false,
    cleanup: false,
    // Gives it its own session and process group: terminal signals do not reach it, and one signal kills the group.
    killDescendants: true,
    maxBuffer: 0,
    stripFinalNewline: false,
  })
  // bwrap has started nothing yet: it waits for its options, which are written in a later turn of the event loop.
  group?.join(child.pid)
  killFirst(child.pid)
  let listener: Parameters<Running['listen']>[0] = () => {}
  const resets = (['stdout', 'stderr'] as const).map((name) => {
    const splitter = createSplitter((line) => listener(line, name))
    child[name]?.on('data', splitter.write).on('end', splitter.end)
    return splitter.reset
  })
  child.stdin?.on('error', () => {}) // EPIPE: the process is gone, and `ended` says so
  let over = false
  child.nodeChildProcess.once('exit', () => {
    child.kill('SIGKILL') // leftover processes may hold its output open
    over = true
  })

  const killed = Promise.withResolvers<ProcessEnd>()
  const information = child.stdio[INFORMATION]
  const allGone = information ? followInit(information as Readable) : undefined
  const ended = child.then(async (result): Promise<ProcessEnd> => {
    await allGone?.()
    const exhausted = group?.close() ?? false
    if (result.exitCode !== undefined) return { code: result.exitCode, exhausted }
    if (result.signal) return { code: 128 + constants.signals[result.signal], exhausted }
    return { code: undefined, error: result as unknown as Error }
  })

  return {
    pid: child.pid,
    ended: Promise.race([ended, killed.promise]),
    listen(next) {
      listener = next
      for (const reset of resets) reset()
    },
    read(reader) {
      for (const name of ['stdout', 'stderr'] as const) child[name]?.on('data', reader)
    },
    write: (line) => void child.stdin?.write(`${line}\n`),
    kill() {
      if (over) return // its PID may belong to another process now
      child.kill('SIGKILL')
      setTimeout(() => killed.resolve({ code: 137 }), KILL_GRACE_MS).unref()
    },
  }
}

/** Resolves to how a process ended; kills it if it takes longer than so many milliseconds. */
export async function endWithin(running: Running, milliseconds: number): Promise<ProcessEnd & { late: boolean }> {
  let late = false
  const timer = setTimeout(() => {
    late = true
    running.kill()
  }, milliseconds).unref()
  const ending = await running.ended
  clearTimeout(timer)
  return { ...ending, late }
}
