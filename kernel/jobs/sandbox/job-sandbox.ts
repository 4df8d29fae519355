import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { clearRun, emptied, placeFile, takeResult } from './folder.ts'
import { type Ground, runOnce, type Task } from './run.ts'
import type { Sandbox } from './sandbox.ts'
import type { Trash } from './trash.ts'
import type { WarmPool } from './warm.ts'
import { startWarm, type WarmProcess } from './warm-process.ts'

/** The sandbox of one job, on a folder made for it. `processes` are warm ones that live in that folder already. */
export function createSandbox({
  owner,
  folder,
  processes,
  ground,
  pool,
  trash,
}: {
  owner: string
  folder: string
  processes: WarmProcess[]
  ground: Ground
  pool: WarmPool
  trash: Trash
}): Sandbox {
  let disposed = false

  return {
    paths: ground.launcher.paths(folder),
    place: (source, name) => placeFile(folder, source, name),

    async run(engine, program, job, args, report) {
      const task: Task = { engine, program, job, args, folder, report }
      if (!engine.warm) return runOnce(task, ground)
      let process = processes.find((process) => process.engine === engine && process.alive && !process.busy)
      if (!process) processes.push((process = startWarm(engine, program, folder, ground)))
      return process.run(task)
    },

    result: (name) => takeResult(folder, name),
    advance: (name, to) => rename(join(folder, name), join(folder, 'in', to)),

    async clear() {
      for (const path of await clearRun(folder)) await trash.discardMade(path)
    },

    async [Symbol.asyncDispose]() {
      if (disposed) return
      disposed = true
      const [first, ...others] = processes
      if (!first) return trash.discard(folder)
      // A process that is kept must find its folder as it was, and nobody else in it.
      const clean = others.length === 0 && first.alive && !first.busy && (await emptied(folder).catch(() => false))
      if (clean) pool.give(owner, first)
      else await pool.retire(processes)
    },
  }
}
