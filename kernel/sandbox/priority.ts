import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { treeBelow } from './processes.ts'
import { hasMachineIds } from './user.ts'

/**
 * Nice values (sched(7)): half of what others get, and usual. With less, a killed browser would take many seconds to
 * end on a busy machine.
 */
const LOW = 3
const USUAL = 0
/** How often to look whether a sandbox is complete, and how long at most, in milliseconds. */
const LOOK = 15
const COMPLETE = 2000
/** How often to change the weight of a session, and the milliseconds between two attempts. */
const TRIES = 12
const PAUSE = 120

/**
 * CAP_SYS_NICE (capabilities(7)), which has no effect in another user namespace. Without it, a process with a lowered
 * priority keeps it for its life.
 */
const mayRaise = hasCapability(23) && hasMachineIds()
/** Each engine has its own session, which the kernel may weigh as a whole; nice values then count only within it. */
const hasAutogroups = existsSync('/proc/self/autogroup')
/** Otherwise nobody can see whether a sandbox is complete (proc_tid_children(5)). */
const listsChildren = existsSync(`/proc/self/task/${process.pid}/children`)

/**
 * Lets a process that was just started, and all that it starts, give way to others that want the CPU, as far as
 * `raisePriority` can undo it. Resolves when that is done.
 *
 * If it is bwrap, this first waits until the sandbox is complete. Before that, bwrap outlives a service that is killed:
 * its child waits for it without end, or has not asked the kernel yet to be killed with it. At a low priority that
 * could take seconds on a busy machine.
 *
 * @param lives whether the process has not ended yet, so that its PID is not another one's
 */
export async function lowerPriority(pid: number | undefined, lives: () => boolean): Promise<void> {
  if (pid === undefined || !(hasAutogroups || mayRaise)) return
  const latest = performance.now() + COMPLETE
  let tree: ReturnType<typeof treeBelow>
  const isComplete = () => [...tree.values()].some(({ name }) => name !== 'bwrap')
  do {
    await delay(LOOK)
    tree = treeBelow(pid)
  } while (listsChildren && lives() && !isComplete() && performance.now() < latest)
  if (lives()) set(pid, LOW, [...tree.keys()])
}

/**
 * Gives a process and all that it has started the usual priority, unless the kernel refuses that for more than a
 * second.
 *
 * @param lives whether the process has not ended yet, so that its PID is not another one's
 */
export function raisePriority(pid: number | undefined, lives: () => boolean): void {
  if (pid !== undefined && lives()) set(pid, USUAL, mayRaise ? treeBelow(pid).keys() : [], lives)
}

function set(pid: number, nice: number, tree: Iterable<number>, again?: () => boolean): void {
  if (hasAutogroups) setGroup(pid, nice, again)
  if (!mayRaise) return
  for (const process of tree) for (const thread of threadsOf(process)) attempt(() => setPriority(Number(thread), nice))
}

/**
 * Of all processes without CAP_SYS_ADMIN together, the kernel accepts only one such change in 100 ms (EAGAIN). While
 * `again` returns true, this tries again.
 */
function setGroup(pid: number, nice: number, again: (() => boolean) | undefined, tries = TRIES): void {
  const file = `/proc/${pid}/autogroup`
  try {
    if (!readFileSync(file, 'utf8').endsWith(` nice ${nice}\n`)) writeFileSync(file, `${nice}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || !again || tries === 1) return
    setTimeout(() => again() && setGroup(pid, nice, again, tries - 1), PAUSE).unref()
  }
}

function threadsOf(pid: number): string[] {
  return attempt(() => readdirSync(`/proc/${pid}/task`)) ?? []
}

/** Returns undefined if the process has ended, or the machine does not allow this. */
function attempt<T>(change: () => T): T | undefined {
  try {
    return change()
  } catch {
    return undefined
  }
}

function hasCapability(number: number): boolean {
  const status = attempt(() => readFileSync('/proc/self/status', 'latin1')) ?? ''
  const effective = BigInt(`0x${/^CapEff:\s+([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`)
  return ((effective >> BigInt(number)) & 1n) === 1n
}
