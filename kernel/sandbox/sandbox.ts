import { lstat, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Args, Engine, Job } from '../contract.ts'
import { type ConversionFailure, tooLargeResult } from '../errors.ts'
import { isRefusal } from '../kit.ts'
import { clearedRun, emptied, makeScratchFolder, placeFile, type Result, separate, takeResult } from './folder.ts'
import { type Packed, packFiles } from './pack.ts'
import type { WarmPool } from './pool/pool.ts'
import { startWarm, type WarmProcess } from './pool/warm-process.ts'
import { openAccount, type RunAccount } from './process/account.ts'
import type { Paths } from './process/launch.ts'
import { type RunServices, runOnce, type Task, writable } from './process/run.ts'
import { emptyFolder, type Trash } from './trash.ts'

/** Maximum bytes at which copying a warm process's result is cheaper than restarting the process. */
const MAX_COPIED = 64 * 1024 ** 2

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
  result(name: string): Promise<Result | undefined>
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

/** What the sandbox of one job is made of. */
export interface SandboxParts {
  owner: string
  /** Engines that the job is expected to run. The process of the first is the most worth keeping. */
  engines: readonly Engine[]
  /** Maximum bytes of one file in `/out`; undefined: the disk limit. */
  maxFileSize: number | undefined
  /** Folder made for it. */
  folder: string
  /** Warm processes that already run in that folder. */
  processes: WarmProcess[]
  services: RunServices
  pool: WarmPool
  trash: Trash
  /** Called after each run. */
  onRun: (run: RunAccount) => void
  /** Called when the sandbox was disposed of. */
  onClosed: () => void
}

/** Creates the sandbox of one job. */
export function createSandbox(parts: SandboxParts): Sandbox {
  const { engines, maxFileSize, folder, processes, services, pool, trash } = parts
  let disposed = false

  function checkSize(size: number) {
    if (maxFileSize !== undefined && size > maxFileSize) throw tooLargeResult(maxFileSize)
  }

  function mostWanted(): WarmProcess | undefined {
    const rank = ({ engine }: WarmProcess) => (engines.includes(engine) ? engines.indexOf(engine) : engines.length)
    return processes.filter(({ alive }) => alive).toSorted((one, other) => rank(one) - rank(other))[0]
  }

  const filled = () => services.watchdog.filled(writable(folder))

  async function endProcesses(kept?: WarmProcess) {
    const others = processes.filter((process) => process !== kept)
    for (const process of others) process.kill()
    await Promise.all(others.map(({ gone }) => gone))
  }

  async function start(task: Task): Promise<string[]> {
    const { engine } = task
    if (!engine.warm) return runOnce(task, services)
    let process = processes.find((process) => process.engine === engine && process.alive && !process.busy)
    if (!process) {
      process = startWarm(engine, task.program, folder, services)
      processes.push(process)
    }
    return process.run(task)
  }

  return {
    paths: services.launcher.paths(folder),
    place: (source, name) => placeFile(folder, source, name, services.launcher.shields),

    async run(engine, program, job, args, report) {
      const account = openAccount(engine)
      const task: Task = { engine, program, job, args, folder, maxFileSize, report, account }
      try {
        return await start(task)
      } catch (error) {
        // A full disk can make an engine report a damaged file.
        throw (isRefusal(error) && (await filled())) || error
      } finally {
        parts.onRun(account.close())
      }
    },

    async result(name) {
      const taken = await takeResult(folder, name)
      if (taken) checkSize(taken.size)
      // A process that still runs may have the file open, and could change or extend it after the check.
      if (!taken || processes.every(({ ended }) => ended)) return taken
      if (taken.size <= MAX_COPIED) return separate(taken)
      await endProcesses()
      const { size } = await lstat(taken.path)
      checkSize(size)
      return { ...taken, size }
    },
    filled,
    makeFolder: (name) => makeScratchFolder(folder, name),
    advance: (name, to) => rename(join(folder, name), join(folder, 'in', to)),

    async pack(files) {
      const packed = await packFiles(folder, files)
      checkSize(packed.size)
      return packed
    },

    async clear() {
      if (await clearedRun(folder)) return
      // End the processes first: they could replace a file with a link while it is removed.
      await endProcesses()
      await emptyFolder(folder, services.launcher)
      if (!(await clearedRun(folder))) throw new Error('files of a failed run could not be removed')
    },

    async [Symbol.asyncDispose]() {
      if (disposed) return
      disposed = true
      await leave().finally(parts.onClosed)
    },
  }

  async function leave() {
    if (!processes.length) return trash.discard(folder)
    const kept = mostWanted()
    // A kept process must find its folder as it was before the job, with no other process in it.
    await endProcesses(kept)
    const clean = kept?.alive && !kept.busy && (await emptied(folder).catch(() => false))
    if (kept && clean) pool.give(parts.owner, kept)
    else await pool.retire(processes)
  }
}
