import { lstat, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Args, Engine, Job } from '../contract.ts'
import { type ConversionFailure, tooLargeResult as tooLarge } from '../errors.ts'
import { isRefusal } from '../kit.ts'
import { openAccount, type RunAccount } from './account.ts'
import { clearedRun, emptied, makeScratchFolder, placeFile, separate, takeResult } from './folder.ts'
import type { Paths } from './launch.ts'
import { type Packed, packFiles } from './pack.ts'
import { emptyFolder } from './remove.ts'
import { type Ground, runOnce, type Task, writable } from './run.ts'
import type { Trash } from './trash.ts'
import type { WarmPool } from './warm-options.ts'
import { startWarm, type WarmProcess } from './warm-process.ts'

/** Maximum bytes at which copying a warm process's result is cheaper than restarting the process. */
const COPIED = 64 * 1024 ** 2

/** The sandbox of one job. Disposing of it removes everything that the job left. */
export interface Sandbox extends AsyncDisposable {
  /** The job's folders, as its programs see them. */
  readonly paths: Paths
  /** Puts the source at `/in/<name>`, as a hard link where possible. `source` is a host path. */
  place(source: string, name: string): Promise<void>
  /**
   * Runs an engine and resolves to the last lines that it printed (at most 200).
   *
   * Rejects with ConversionFailure: CONVERSION_ERROR, or the failure from the engine's `reason`, if the engine refuses
   * the file; RESOURCE_LIMIT; INTERNAL_SERVER_ERROR if the engine cannot be started. After an abort, rejects with
   * `job.signal.reason`. After an abort or an exceeded limit, no process of the engine is left.
   */
  run(engine: Engine, program: string, job: Job, args: Args, report: (fraction: number) => void): Promise<string[]>
  /**
   * Moves `/out/<name>` out of the programs' reach. Resolves to its host path and size in bytes, or to undefined if it
   * does not exist. Throws CONVERSION_ERROR unless it is a regular file with exactly one hard link and at least one
   * byte, and RESOURCE_LIMIT if it is larger than allowed.
   */
  result(name: string): Promise<{ path: string; size: number } | undefined>
  /** Moves a result that `result` returned to `/in/<to>`, as a source of the next leg or for `pack`. */
  advance(name: string, to: string): Promise<void>
  /**
   * Packs files of `/in` into a zip, out of the programs' reach. Resolves to its host path and size in bytes. Throws
   * RESOURCE_LIMIT if it is larger than a result may be.
   */
  pack(files: readonly Packed[]): Promise<{ path: string; size: number }>
  /** Resolves to RESOURCE_LIMIT if a run may have failed because its folders or the disk are full. */
  filled(): Promise<ConversionFailure | undefined>
  /** Creates `/scratch/<name>`, a folder for intermediate files, unless it exists. */
  makeFolder(name: string): Promise<void>
  /** Removes what a failed run left in `/out` and `/scratch`. */
  clear(): Promise<void>
}

/**
 * Creates the sandbox of one job in a folder made for it. `processes` are warm processes that already run in that
 * folder. `engines` are those that the job is expected to run; the process of the first is the most worth keeping.
 */
export function createSandbox({
  owner,
  engines,
  most,
  folder,
  processes,
  ground,
  pool,
  trash,
  told,
  closed,
}: {
  owner: string
  engines: readonly Engine[]
  /** Maximum bytes of one file in `/out`. */
  most: number | undefined
  folder: string
  processes: WarmProcess[]
  ground: Ground
  pool: WarmPool
  trash: Trash
  /** Called after each run. */
  told: (run: RunAccount) => void
  /** Called when the sandbox was disposed of. */
  closed: () => void
}): Sandbox {
  let disposed = false

  function mostWanted(): WarmProcess | undefined {
    const rank = ({ engine }: WarmProcess) => (engines.includes(engine) ? engines.indexOf(engine) : engines.length)
    // One that ended in its rehearsal was replaced.
    return processes.filter(({ alive }) => alive).toSorted((one, other) => rank(one) - rank(other))[0]
  }

  const filled = () => ground.watchdog.filled(writable(folder))

  async function endProcesses(kept?: WarmProcess) {
    const others = processes.filter((process) => process !== kept)
    for (const process of others) process.kill()
    await Promise.all(others.map(({ gone }) => gone))
  }

  async function start(task: Task): Promise<string[]> {
    const { engine } = task
    if (!engine.warm) return runOnce(task, ground)
    const found = processes.find((process) => process.engine === engine && process.alive && !process.busy)
    const lines = await found?.run(task)
    if (lines) return lines
    const process = startWarm(engine, task.program, folder, ground)
    processes.push(process)
    return (await process.run(task))!
  }

  return {
    paths: ground.launcher.paths(folder),
    place: (source, name) => placeFile(folder, source, name, ground.launcher.shields),

    async run(engine, program, job, args, report) {
      const account = openAccount(engine)
      const task: Task = { engine, program, job, args, folder, most, report, account }
      try {
        return await start(task)
      } catch (error) {
        // A full disk can make an engine report a damaged file.
        throw (isRefusal(error) && (await filled())) || error
      } finally {
        told(account.close())
      }
    },

    async result(name) {
      const taken = await takeResult(folder, name)
      if (taken && most !== undefined && taken.size > most) throw tooLarge(most)
      // A process that still runs may have the file open, and could change or extend it after the check.
      if (!taken || processes.every(({ ended }) => ended)) return taken
      if (taken.size <= COPIED) return separate(taken)
      await endProcesses()
      const { size } = await lstat(taken.path)
      if (most !== undefined && size > most) throw tooLarge(most)
      return { ...taken, size }
    },
    filled,
    makeFolder: (name) => makeScratchFolder(folder, name),
    advance: (name, to) => rename(join(folder, name), join(folder, 'in', to)),

    async pack(files) {
      const packed = await packFiles(folder, files)
      if (most !== undefined && packed.size > most) throw tooLarge(most)
      return packed
    },

    async clear() {
      if (await clearedRun(folder)) return
      // End the processes first: they could replace a file with a link while it is removed.
      await endProcesses()
      await emptyFolder(folder, ground.launcher)
      if (!(await clearedRun(folder))) throw new Error('files of a failed run could not be removed')
    },

    async [Symbol.asyncDispose]() {
      if (disposed) return
      disposed = true
      await leave().finally(closed)
    },
  }

  async function leave() {
    if (!processes.length) return trash.discard(folder)
    const kept = mostWanted()
    // A kept process must find its folder as it was before the job, with no other process in it.
    await endProcesses(kept)
    const clean = kept?.alive && !kept.busy && (await emptied(folder).catch(() => false))
    if (kept && clean) pool.give(owner, kept)
    else await pool.retire(processes)
  }
}
