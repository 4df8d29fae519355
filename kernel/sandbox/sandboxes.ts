import { chmod, mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Engine } from '../contract.ts'
import { StartError } from '../errors.ts'
import { createAsk } from './ask.ts'
import { makeFolder } from './folder.ts'
import type { Groups } from './limits/cgroup.ts'
import { idleBudget, memoryLeft } from './limits/memory-left.ts'
import { memoryBelow } from './limits/processes.ts'
import { createWatchdog } from './limits/watchdog.ts'
import { createWarmPool } from './pool/pool.ts'
import { startWarm } from './pool/warm-process.ts'
import type { RunAccount } from './process/account.ts'
import { bubblewrap, unisolated } from './process/launch.ts'
import { endOrphans, sandboxName } from './process/orphans.ts'
import { createSandbox } from './sandbox.ts'
import { createTrash } from './trash.ts'
import { memoryFileSystems } from './walls/bubblewrap.ts'
import { closeInherited } from './walls/descriptors.ts'
import { writeFilters } from './walls/filters.ts'
import { hasFilters, hasLandlock } from './walls/landlock.ts'
import { selfTest } from './walls/selftest.ts'
import { unprivilegedUser } from './walls/user.ts'

/** Path of an engine's program and its version, if it is known; or why it is not installed. */
export type Installation = { path: string; version?: string } | { missing: string }

/** Creates the sandboxes in which engines run. */
export type Sandboxes = Awaited<ReturnType<typeof createSandboxes>>

async function unreachable(): Promise<never> {
  throw new Error('this node converts nothing')
}

/** For a node that converts nothing: it has no sandbox, and needs no user namespaces. */
export const noSandboxes: Sandboxes = {
  open: unreachable,
  ask: unreachable,
  warm() {},
  counts: () => [],
  async close() {},
}

export type SandboxSettings = Pick<Config, 'dataDir' | 'sandbox' | 'limits' | 'warm' | 'timeouts'>

/**
 * Prepares `work` in the data folder, which only one service may use at a time. Removes what earlier runs of the
 * service left there, and tests the isolation. Throws StartError if the isolation fails.
 *
 * @param groups cgroups that limit the memory of each program; undefined: none
 */
export async function createSandboxes(settings: SandboxSettings, log: Logger, groups?: Groups) {
  const { limits, warm } = settings
  const cores = availableParallelism()
  const work = join(settings.dataDir, 'work')
  const filesName = '.sandbox'
  const user = unprivilegedUser()
  if (!user) log.info('engines run as the user of the service, and share what the kernel limits by user')
  await mkdir(work, { recursive: true })
  await chmod(work, 0o711)
  const name = await sandboxName(work)
  endOrphans(name, user?.uid ?? process.getuid?.())
  closeInherited()

  const sizes = memoryFileSystems(limits.memory)
  const options = {
    folder: join(work, filesName),
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

  await trash.sweep([filesName])
  const services = {
    launcher,
    watchdog: createWatchdog(limits, work, isolated ? sizes : undefined),
    stalled: settings.timeouts.stalled,
  }
  const programs = new Map<Engine, string>()
  let jobs = 0
  const pool = createWarmPool({
    ...warm,
    memory: idleBudget(warm.memory),
    start: async (engine) => startWarm(engine, programs.get(engine)!, await makeFolder(work, user), services),
    measure: async ({ pid }) => (pid === undefined ? 0 : memoryBelow(pid)),
    freeMemory: memoryLeft,
    cores,
    jobs: () => jobs,
    discard: trash.discard,
    onBootFailed: (engine) => log.warn({ engine: engine.name }, 'cannot start an engine in advance'),
  })

  return {
    /** Runs an installed program without a job, to learn about it, for example its version. */
    ask: createAsk(launcher, withFolder),
    /**
     * Opens a sandbox with a private folder for one job of `owner`. If a warm process of one of `engines` is ready, the
     * sandbox uses that process and its folder.
     *
     * @param maxFileSize size limit of one file in `/out`, in bytes; undefined: the disk limit
     * @param onRun called after each run, however it ended
     */
    async open(
      owner: string,
      engines: readonly Engine[],
      maxFileSize?: number,
      onRun: (run: RunAccount) => void = () => {},
    ) {
      jobs++
      try {
        const process = pool.take(owner, engines)
        const folder = process?.folder ?? (await makeFolder(work, user))
        const processes = process ? [process] : []
        const job = { owner, engines, maxFileSize, folder, processes }
        return createSandbox({ ...job, services, pool, trash, onRun, onClosed })
      } catch (error) {
        onClosed()
        throw error
      }
    },
    /** Starts spare processes of the warm engines in `found`. Does not wait for them. */
    warm(found: ReadonlyMap<Engine, Installation>) {
      for (const [engine, place] of found) {
        if (!engine.warm || 'missing' in place || programs.has(engine)) continue
        programs.set(engine, place.path)
        pool.keep(engine)
      }
    },
    /** Returns how many processes wait for work, by engine. */
    counts: pool.count,
    /** Ends the warm processes and finishes cleaning up. All jobs must have ended. */
    async close() {
      await pool.close()
      services.watchdog.close()
      await trash.idle()
    },
  }

  function onClosed() {
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
