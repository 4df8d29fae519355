import { lstat, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Args, Engine, Job } from '../contract.ts'
import { type ConversionFailure, tooLargeResult as tooLarge } from '../errors.ts'
import { openAccount, type RunAccount } from './account.ts'
import { clearedRun, emptied, makeScratchFolder, placeFile, separate, takeResult } from './folder.ts'
import type { Paths } from './launch.ts'
import { emptyFolder } from './remove.ts'
import { type Ground, runOnce, type Task, writable } from './run.ts'
import type { Trash } from './trash.ts'
import type { WarmPool } from './warm.ts'
import { startWarm, type WarmProcess } from './warm-process.ts'

/** Bytes up to which copying a warm process's result is cheaper than to start the process anew. */
const COPIED = 64 * 1024 ** 2

/** The surroundings of one job. Disposing of it removes everything that the job left. */
export interface Sandbox extends AsyncDisposable {
  /** The job's folders, as its programs see them. */
  readonly paths: Paths
  /** Puts the source at `/in/<name>`, by a hard link where that is possible. `source` is a host path. */
  place(source: string, name: string): Promise<void>
  /**
   * Runs an engine and resolves to the last lines that it printed (at most 200).
   *
   * Rejects with ConversionFailure: CONVERSION_ERROR or what the engine's `reason` says when it refuses the file,
   * RESOURCE_LIMIT, INTERNAL_SERVER_ERROR when it cannot be started; or with `job.signal.reason` after an abort. No
   * process of it is left then.
   */
  run(engine: Engine, program: string, job: Job, args: Args, report: (fraction: number) => void): Promise<string[]>
  /**
   * Takes `/out/<name>` out of reach and resolves to its host path and bytes, or to undefined when it does not exist.
   * Throws CONVERSION_ERROR unless it is a plain file with one name and some content, RESOURCE_LIMIT when it is larger
   * than allowed.
   */
  result(name: string): Promise<{ path: string; size: number } | undefined>
  /** Makes a result that `result` has taken the source of the next leg, at `/in/<to>`. */
  advance(name: string, to: string): Promise<void>
  /** RESOURCE_LIMIT when a run may have failed because there was no room for what it wrote. */
  filled(): Promise<ConversionFailure | undefined>
  /** Makes a folder for intermediates, `/scratch/<name>`, where there is none yet. */
  makeFolder(name: string): Promise<void>
  /** Removes what a failed run left in `/out` and `/scratch`. */
  clear(): Promise<void>
}

/**
 * The sandbox of one job, on a folder made for it. `processes` are warm ones that live in that folder already;
 * `engines` those that the job is expected to run, of which the first is the one worth keeping afterwards.
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
}: {
  owner: string
  engines: readonly Engine[]
  /** Bytes that one file of `/out` may have. */
  most: number | undefined
  folder: string
  processes: WarmProcess[]
  ground: Ground
  pool: WarmPool
  trash: Trash
  /** Hears of each run when it is over. */
  told: (run: RunAccount) => void
}): Sandbox {
  let disposed = false

  function mostWanted(): WarmProcess | undefined {
    const rank = ({ engine }: WarmProcess) => (engines.includes(engine) ? engines.indexOf(engine) : engines.length)
    return processes.toSorted((one, other) => rank(one) - rank(other))[0]
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
    let process = processes.find((process) => process.engine === engine && process.alive && !process.busy)
    if (!process) processes.push((process = startWarm(engine, task.program, folder, ground)))
    return process.run(task)
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
        // What an engine takes for a damaged file can be a disk that is full.
        throw ((error as ConversionFailure | undefined)?.code === 'CONVERSION_ERROR' && (await filled())) || error
      } finally {
        told(account.close())
      }
    },

    async result(name) {
      const taken = await takeResult(folder, name)
      if (taken && most !== undefined && taken.size > most) throw tooLarge(most)
      // A process that lives on may have the file open: it would change it after the check, or make it longer.
      if (!taken || !processes.some(({ alive }) => alive)) return taken
      if (taken.size <= COPIED) return separate(taken)
      await endProcesses()
      const { size } = await lstat(taken.path)
      if (most !== undefined && size > most) throw tooLarge(most)
      return { ...taken, size }
    },
    filled,
    makeFolder: (name) => makeScratchFolder(folder, name),
    advance: (name, to) => rename(join(folder, name), join(folder, 'in', to)),

    async clear() {
      if (await clearedRun(folder)) return
      // Nothing is removed while somebody can still put a link in its place.
      await endProcesses()
      await emptyFolder(folder, ground.launcher)
      if (!(await clearedRun(folder))) throw new Error('what a failed run left could not be removed')
    },

    async [Symbol.asyncDispose]() {
      if (disposed) return
      disposed = true
      const kept = mostWanted()
      if (!kept) return trash.discard(folder)
      // A process that is kept must find its folder as it was, and nobody else in it.
      await endProcesses(kept)
      const clean = kept.alive && !kept.busy && (await emptied(folder).catch(() => false))
      if (clean) pool.give(owner, kept)
      else await pool.retire(processes)
    },
  }
}
