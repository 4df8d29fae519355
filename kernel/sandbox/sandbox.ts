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
import { idleBudget, memoryLeft } from './memory-left.ts'
import { endOrphans, sandboxName } from './orphans.ts'
import { lowerPriority, raisePriority } from './priority.ts'
import { memoryBelow, usageBelow } from './processes.ts'
import { selfTest } from './selftest.ts'
import { createTrash } from './trash.ts'
import { unprivilegedUser } from './user.ts'
import { createWarmPool } from './warm.ts'
import type { WarmCount } from './warm-options.ts'
import { startWarm } from './warm-process.ts'
import { createWatchdog } from './watchdog.ts'

/** Path of an engine's program, or why it is not installed. */
export type Installation = { path: string } | { missing: string }

/** Creates the sandboxes in which engines run. */
export interface Sandboxes {
  /**
   * Opens a sandbox with a private folder for one job of `owner`. If a warm process of one of `engines` is ready, the
   * sandbox uses that process and its folder. Calls `told` after each run, however it ended.
   * @param most Size limit of one file in `/out`, in bytes; undefined: the disk limit.
   */
  open(owner: string, engines: readonly Engine[], most?: number, told?: (run: RunAccount) => void): Promise<Sandbox>
  /** Runs an installed program without a job, to learn about it, for example its version. */
  ask: Ask
  /** Starts spare processes of the warm engines in `found`. Does not wait for them. */
  warm(found: ReadonlyMap<Engine, Installation>): void
  /** Returns how many processes wait for work, by engine. */
  counts(): WarmCount[]
  /** Ends the warm processes and finishes cleaning up. All jobs must have ended. */
  close(): Promise<void>
}

export type SandboxSettings = Pick<Config, 'dataDir' | 'sandbox' | 'limits' | 'warm' | 'timeouts' | 'queue'>

/**
 * Prepares `work` in the data folder, which only one service may use at a time. Removes what earlier runs of the
 * service left there, and tests the isolation. Throws StartError if the isolation fails.
 *
 * @param groups cgroups that limit the memory of each program; undefined: none
 */
export async function createSandboxes(settings: SandboxSettings, log: Logger, groups?: Groups): Promise<Sandboxes> {
  const { limits, warm } = settings
  const cores = availableParallelism()
  const work = join(settings.dataDir, 'work')
  const own = '.sandbox'
  const user = unprivilegedUser()
  if (!user) log.info('engines run as the user of the service, and share what the kernel limits by user')
  await mkdir(work, { recursive: true })
  await chmod(work, 0o711)
  const name = await sandboxName(work)
  endOrphans(name, user?.uid ?? process.getuid?.())
  closeInherited()

  const sizes = memoryFileSystems(limits.memory)
  const options = {
    folder: join(work, own),
    sizes,
    user,
    groups,
    name,
    // Enough to keep every core busy for the longest time that a job may take.
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
  let jobs = 0
  const pool = createWarmPool({
    ...warm,
    memory: idleBudget(warm.memory),
    workers: settings.queue.workers ?? 2 * cores,
    start: async (engine) => startWarm(engine, programs.get(engine)!, await makeFolder(work, user), ground),
    slow: (process, waits) => void lowerPriority(process.pid, () => process.alive && waits()),
    hurry: (process) => raisePriority(process.pid, () => process.alive),
    measure: async ({ pid }) => (pid === undefined ? 0 : memoryBelow(pid)),
    resident: ({ pid }) => (pid === undefined ? 0 : usageBelow(pid).memory),
    left: memoryLeft,
    working: () => jobs > 0,
    discard: trash.discard,
    failed: (engine) => log.warn({ engine: engine.name }, 'cannot start an engine in advance'),
    unrehearsed: ({ name }, lines) => log.warn({ engine: name, lines }, 'the rehearsal of an engine failed'),
  })

  return {
    ask: createAsk(launcher, withFolder),
    async open(owner, engines, most, told = () => {}) {
      jobs++
      try {
        const process = pool.take(owner, engines)
        const folder = process?.folder ?? (await makeFolder(work, user))
        const processes = process ? [process] : []
        return createSandbox({ owner, engines, most, folder, processes, ground, pool, trash, told, closed })
      } catch (error) {
        closed()
        throw error
      }
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

  function closed() {
    jobs--
    pool.resume()
  }

  async function withoutSandbox() {
    const landlock = hasLandlock(user)
    const written = await writeFilters(options.folder, user, true)
    const filters = hasFilters(written({}), user) ? written : undefined
    const left = [landlock && 'Landlock', filters && 'the system call filter'].filter(Boolean).join(' and ')
    const walls = left ? `only ${left} for the` : 'no'
    log.warn(`sandbox: none – ${walls} isolation of engines, which is unsafe for untrusted files`)
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
