import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { controllersOf, LEAF, ownGroup, read, whyNotOurs } from './own-cgroup.ts'

/** Memory cgroups of jobs. Version 2 only: Documentation/admin-guide/cgroup-v2.rst of the kernel. */
export interface Groups {
  /**
   * Makes a group that may have so many processes and threads. Undefined when the kernel refuses it: the watchdog alone
   * bounds the memory then.
   */
  open(processes: number): Group | undefined
}

/** The group of one process tree. */
export interface Group {
  /** Moves a process into it. To be called before the process has started anything. */
  join(pid: number | undefined): void
  /** Ends what is left in it and removes it. Says whether the kernel ended processes because its memory was used up. */
  close(): boolean
}

/** What the kernel grants beyond the limit, so that the watchdog mostly comes first: it counts no page cache. */
const HEADROOM = 1 / 8
/** Processes of bwrap and prlimit besides those of the engine. */
const OUTER = 8
const PREFIX = 'job-'
/** Milliseconds between two tries to remove a group, and tries. */
const [STEP, TRIES] = [25, 40]

/**
 * Divides the service's own group where that has been given to it: the service moves to a group of its own, each job
 * gets one beside it. Removes what earlier lives left there. Touches nothing otherwise, and tells the log why not.
 *
 * @param memory bytes that a job may use
 */
export function divideGroup(memory: number, env: NodeJS.ProcessEnv, log: Pick<Logger, 'info'>): Groups | undefined {
  const groups = divide(memory, env)
  if ('open' in groups) return groups
  log.info({ reason: groups.missing }, 'no memory groups: the watchdog alone bounds memory')
  return undefined
}

function divide(memory: number, env: NodeJS.ProcessEnv): Groups | { missing: string } {
  const own = ownGroup(read('/proc/self', 'cgroup'), read('/proc/self', 'mountinfo'))
  if ('missing' in own) return own
  // It is divided already where a container starts the service again. No unit of systemd has this name.
  const isDivided = basename(own.group) === LEAF
  const [folder, group] = isDivided ? [dirname(own.folder), dirname(own.group)] : [own.folder, own.group]
  try {
    const missing = whyNotOurs(folder, group, env)
    if (missing) return { missing }
    mkdirSync(join(folder, LEAF), { recursive: true })
    for (const pid of read(folder, 'cgroup.procs').split('\n')) if (pid) write(folder, `${LEAF}/cgroup.procs`, pid)
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

function openGroup(parent: string, memory: number, processes: number): Group {
  const folder = join(parent, `${PREFIX}${randomUUID()}`)
  mkdirSync(folder)
  write(folder, 'memory.max', `${Math.ceil(memory * (1 + HEADROOM))}`)
  write(folder, 'memory.oom.group', '1')
  // A kernel may lack the counting of swap, or the controller of processes.
  const others = { 'memory.swap.max': '0', 'pids.max': `${processes + OUTER}` }
  for (const [name, value] of Object.entries(others)) if (existsSync(join(folder, name))) write(folder, name, value)
  return {
    join(pid) {
      try {
        if (pid !== undefined) write(folder, 'cgroup.procs', `${pid}`)
      } catch {} // it has ended
    },
    close() {
      const events = read(folder, 'memory.events')
      void remove(folder)
      // The machine's own lack of memory counts as oom_kill too, but not as oom.
      return /^oom [1-9]/m.test(events) && /^oom_kill [1-9]/m.test(events)
    },
  }
}

/** Ends what is in a group, and removes it as soon as the kernel lets go: within a second, or at the next start. */
async function remove(folder: string) {
  for (let left = TRIES; left > 0; left--) {
    try {
      if (existsSync(join(folder, 'cgroup.kill'))) write(folder, 'cgroup.kill', '1')
      return rmdirSync(folder)
    } catch {
      await delay(STEP, undefined, { ref: false })
    }
  }
}

const write = (folder: string, name: string, value: string) => writeFileSync(join(folder, name), value)
