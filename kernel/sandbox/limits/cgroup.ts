import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { controllersOf, LEAF, ownGroup, whyNotOurs } from './own-cgroup.ts'
import { readText } from './proc.ts'

/** Memory cgroups of jobs. Version 2 only: see the kernel's Documentation/admin-guide/cgroup-v2.rst. */
export interface Groups {
  /**
   * Creates a group for at most `processes` processes and threads. Returns undefined if the kernel refuses it; then
   * only the watchdog limits the memory.
   */
  open(processes: number): Group | undefined
}

/** The group of one process tree. */
export type Group = ReturnType<typeof openGroup>

/** Share added to the limit for the kernel, which also counts page cache: thus the watchdog usually acts first. */
const HEADROOM = 1 / 8
/** Maximum processes of bwrap and prlimit, in addition to the engine's. */
const OUTER = 8
const PREFIX = 'job-'
/** Milliseconds between attempts to remove a group, and the number of attempts. */
const RETRY_MS = 25
const MAX_ATTEMPTS = 40

/**
 * Divides the service's cgroup if it was delegated to the service: the service moves to a subgroup, and each job gets
 * another one beside it. Removes groups that earlier runs of the service left. Otherwise changes nothing and logs the
 * reason.
 *
 * @param memory maximum bytes of a job
 */
export function divideGroup(memory: number, env: NodeJS.ProcessEnv, log: Pick<Logger, 'info'>): Groups | undefined {
  const groups = divide(memory, env)
  if ('open' in groups) return groups
  log.info({ reason: groups.missing }, 'no memory groups: only the watchdog limits memory')
  return undefined
}

function divide(memory: number, env: NodeJS.ProcessEnv): Groups | { missing: string } {
  const own = ownGroup()
  if ('missing' in own) return own
  // Already divided if a container restarted the service. No systemd unit has this name.
  const isDivided = basename(own.group) === LEAF
  const [folder, group] = isDivided ? [dirname(own.folder), dirname(own.group)] : [own.folder, own.group]
  try {
    const missing = whyNotOurs(folder, group, env)
    if (missing) return { missing }
    mkdirSync(join(folder, LEAF), { recursive: true })
    for (const pid of readText(join(folder, 'cgroup.procs')).split('\n'))
      if (pid) write(folder, `${LEAF}/cgroup.procs`, pid)
    const wanted = controllersOf(folder).filter((name) => ['memory', 'pids'].includes(name))
    write(folder, 'cgroup.subtree_control', wanted.map((name) => `+${name}`).join(' '))
    for (const name of readdirSync(folder)) if (name.startsWith(PREFIX)) void remove(join(folder, name))
    openGroup(folder, memory, 1).close()
  } catch (error) {
    return { missing: `its cgroup cannot be divided: ${(error as Error).message}` }
  }
  return {
    open(processes) {
      try {
        return openGroup(folder, memory, processes)
      } catch {
        return undefined
      }
    },
  }
}

function openGroup(parent: string, memory: number, processes: number) {
  const folder = join(parent, `${PREFIX}${randomUUID()}`)
  mkdirSync(folder)
  write(folder, 'memory.max', `${Math.ceil(memory * (1 + HEADROOM))}`)
  write(folder, 'memory.oom.group', '1')
  // The kernel may lack swap accounting or the pids controller.
  const others = { 'memory.swap.max': '0', 'pids.max': `${processes + OUTER}` }
  for (const [name, value] of Object.entries(others)) if (existsSync(join(folder, name))) write(folder, name, value)
  return {
    /** Moves a process into the group. Call this before the process starts others. */
    join(pid: number | undefined) {
      try {
        if (pid !== undefined) write(folder, 'cgroup.procs', `${pid}`)
      } catch {} // it has ended
    },
    /** Kills its processes and removes it. Returns true if the kernel killed any because its memory was used up. */
    close() {
      const events = readText(join(folder, 'memory.events'))
      void remove(folder)
      // When the whole machine runs out of memory, the kernel counts an oom_kill but no oom.
      return /^oom [1-9]/m.test(events) && /^oom_kill [1-9]/m.test(events)
    },
  }
}

/** Kills the processes of a group and removes it. Retries for a second; what is left is removed at the next start. */
async function remove(folder: string) {
  for (let left = MAX_ATTEMPTS; left > 0; left--) {
    try {
      if (existsSync(join(folder, 'cgroup.kill'))) write(folder, 'cgroup.kill', '1')
      return rmdirSync(folder)
    } catch {
      await delay(RETRY_MS, undefined, { ref: false })
    }
  }
}

const write = (folder: string, name: string, value: string) => writeFileSync(join(folder, name), value)
