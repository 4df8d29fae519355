import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { execa, type Options } from 'execa'
import type { Group } from './cgroup.ts'
import { followInit } from './init.ts'
import { createSplitter } from './lines.ts'
import type { ProcessEnd } from './reason.ts'
import { sacrifice } from './sacrifice.ts'

/** A running engine process, from outside. */
export interface Running {
  readonly pid: number | undefined
  /**
   * Resolves when the process has ended, nothing of its sandbox is left and its output is read; after a kill within
   * 2 s in any case. Never rejects.
   */
  readonly ended: Promise<ProcessEnd>
  /** Hands each line of both output streams to `listener`, in place of the one before. */
  listen(listener: (line: string, stream: 'stdout' | 'stderr') => void): void
  /** Hands what both output streams give to `reader` too, as it comes. */
  read(reader: (chunk: Buffer) => void): void
  /** Sends one line to the standard input of a process that was started with it open. */
  write(line: string): void
  /** Ends the process and all that it started, by SIGKILL. */
  kill(): void
}

const GRACE = 2000

/** Descriptor on which bwrap tells the first process of its sandbox, when that is a pipe. */
export const INFORMATION = 5

/**
 * Starts a program and reads its output with bounds. Throws nothing: a failed start is an ending.
 *
 * @param group made for this program alone; closed after it
 */
export function start(program: string, args: readonly string[], options: Options, group?: Group): Running {
  const child = execa(program, args, {
    ...options,
    extendEnv: false,
    buffer: false,
    reject: false,
    cleanup: false,
    // A session and process group of its own: the terminal's signals do not reach it, and one signal ends all of it.
    killDescendants: true,
    maxBuffer: 0,
    stripFinalNewline: false,
  })
  // bwrap waits for its options, which are written in a later turn: it has started nothing yet.
  group?.join(child.pid)
  sacrifice(child.pid)
  let listener: Parameters<Running['listen']>[0] = () => {}
  const resets = (['stdout', 'stderr'] as const).map((name) => {
    const splitter = createSplitter((line) => listener(line, name))
    child[name]?.on('data', splitter.write).on('end', splitter.end)
    return splitter.reset
  })
  child.stdin?.on('error', () => {}) // EPIPE: the process is gone, and `ended` says so
  let over = false
  child.nodeChildProcess.once('exit', () => {
    child.kill('SIGKILL') // what it leaves behind, some of which may hold its output open
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
      if (over) return // another process may have its number
      child.kill('SIGKILL')
      setTimeout(() => killed.resolve({ code: 137 }), GRACE).unref()
    },
  }
}
