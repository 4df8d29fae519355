import { chmod, mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Engine } from '../contract.ts'
import { StartError } from '../errors.ts'
import type { RunAccount } from './account.ts'
import { type Ask, createAsk } from './ask.ts'
import { memoryFileSystems } from './bubblewrap.ts'
import type { Groups } from './cgroup.ts'
import { closeInherited } from './descriptors.ts'
import { writeFilters } from './filters.ts'
import { makeFolder } from './folder.ts'
import { createSandbox, type Sandbox } from './job-sandbox.ts'
import { hasFilters, hasLandlock } from './landlock.ts'
import { bubblewrap, unisolated } from './launch.ts'
import { endOrphans, sandboxName } from './orphans.ts'
import { selfTest } from './selftest.ts'
import { createTrash } from './trash.ts'
import { unprivilegedUser } from './user.ts'
import { createWarmPool, type WarmCount } from './warm.ts'
import { startWarm } from './warm-process.ts'
import { createWatchdog } from './watchdog.ts'

/** Where an engine's program is, or why it is not here. */
export type Installation = { path: string } | { missing: string }

/** Where engines run. */
export interface Sandboxes {
  /**
   * A private folder for one job of `owner`, with the runs in it. When one of `engines` is warm, a ready process of
   * it lives in the same folder. `told` hears of each run when it is over, however it ended.
   * @param most Bytes that one file of `/out` may have; undefined: the disk limit.
   */
  open(owner: string, engines: readonly Engine[], most?: number, told?: (run: RunAccount) => void): Promise<Sandbox>
  /** Runs a program of the machine without a job, to see what it is. */
  ask: Ask
  /** Starts spares of the warm engines among those found. Does not wait for them. */
  warm(found: ReadonlyMap<Engine, Installation>): void
  /** How many processes wait for work, by engine. */
  counts(): WarmCount[]
  /** Ends warm processes and finishes cleaning up. Jobs must have ended. */
  close(): Promise<void>
}

export type SandboxSettings = Pick<Config, 'dataDir' | 'sandbox' | 'limits' | 'warm' | 'timeouts' | 'queue'>

/**
 * Prepares `work` in the data folder, which one service uses at a time: removes what earlier lives left there, and
 * proves that the isolation holds. Throws StartError when it does not.
 *
 * @param groups where each program gets a memory group of its own; undefined: none
 */
export async function createSandboxes(settings: SandboxSettings, log: Logger, groups?: Groups): Promise<Sandboxes> {
  const { limits, warm } = settings
  const cores = availableParallelism()
  const work = join(settings.dataDir, 'work')
  const own = '.sandbox'
  const user = unprivilegedUser()
  await mkdir(work, { recursive: true })
  await chmod(work, 0o711)
  const name = await sandboxName(work)
  endOrphans(name, user?.uid ?? process.getuid?.())
  closeInherited()

  const sizes = memoryFileSystems(limits.memory)
  const options = {
    folder: join(work, own),
    sizes,
    ...{ user, groups, name },
    // A process on every core for the longest time that a job may take.
    limits: { cpu: Math.ceil((settings.timeouts.heavy / 1000) * cores) + 5, fileSize: limits.disk },
  }
  const isolated = settings.sandbox === 'bubblewrap'
  const launcher = isolated ? await bubblewrap(options) : await withoutSandbox()
  const trash = await createTrash(work, launcher, user)
  if (isolated) await tested()

  await trash.sweep([own])
  const ground = {
    launcher,
    watchdog: createWatchdog(limits, work, isolated ? sizes : undefined),
    stalled: settings.timeouts.stalled,
  }
  const programs = new Map<Engine, string>()
  const pool = createWarmPool({
    ...warm,
    most: warm.spares * 8 + 2 * (settings.queue.workers ?? 2 * cores),
    start: async (engine) => startWarm(engine, programs.get(engine)!, await makeFolder(work, user), ground),
    discard: trash.discard,
    failed: (engine) => log.warn({ engine: engine.name }, 'a warm engine does not start'),
  })

  return {
    ask: createAsk(launcher, withFolder),
    async open(owner, engines, most, told = () => {}) {
      const process = pool.take(owner, engines)
      const folder = process?.folder ?? (await makeFolder(work, user))
      const processes = process ? [process] : []
      return createSandbox({ owner, engines, most, folder, processes, ground, pool, trash, told })
    },
    warm(found) {
      for (const [engine, place] of found) {
        if (!engine.warm || 'missing' in place || programs.has(engine)) continue
        programs.set(engine, place.path)
        pool.keep(engine)
      }
    },
    counts: pool.count,
    async close() {
      await pool.close()
      ground.watchdog.close()
      await trash.idle()
    },
  }

  async function withoutSandbox() {
    const landlock = hasLandlock(user)
    const written = await writeFilters(options.folder, user, true)
    const filters = hasFilters(written({}), user) ? written : undefined
    const left = [landlock && 'Landlock', filters && 'the system call filter'].filter(Boolean).join(' and ')
    const walls = left ? `only ${left} for the` : 'no'
    log.warn(`sandbox: none – ${walls} isolation of engines, which is unsafe for files of strangers`)
    return unisolated({ ...options, landlock, filters })
  }

  async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
    const folder = await makeFolder(work, user)
    try {
      return await use(folder)
    } finally {
      await trash.discard(folder)
    }
  }

  async function tested() {
    await withFolder((folder) => selfTest(launcher, folder, work)).catch((error) => {
      throw error instanceof StartError ? error : new StartError(String(error), { cause: error })
    })
  }
}
