import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Name, parent and state of a process, by proc(5). */
export function stat(pid: number): { name: string; parent: number; state: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    const [state = '', parent = ''] = text.slice(end + 2).split(' ')
    return { name: text.slice(text.indexOf('(') + 1, end), parent: Number(parent), state }
  } catch {
    return undefined
  }
}

/** Whether a process still runs. Zombies do not. */
const isAlive = (pid: number) => !['Z', 'X', undefined].includes(stat(pid)?.state)

/** Returns all descendants of a process, in any session or namespace. */
export function descendants(root: number): number[] {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync('/proc')) {
    const parent = /^\d+$/.test(entry) ? stat(Number(entry))?.parent : undefined
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
  }
  const found: number[] = []
  for (let todo = [root]; todo.length; ) {
    const next = todo.flatMap((pid) => children.get(pid) ?? [])
    found.push(...next)
    todo = next
  }
  return found
}

/**
 * Returns those of these processes that are not bwrap: programs whose sandbox is complete, with all that they started.
 * The kernel ends them with their service. An unfinished bwrap may outlive a service that is killed, until the next one
 * starts.
 */
export const programsOf = (pids: readonly number[]): number[] => pids.filter((pid) => stat(pid)?.name !== 'bwrap')

/** Returns the milliseconds until none of these processes runs, or undefined after `limit` milliseconds. */
export async function untilGone(pids: readonly number[], limit: number): Promise<number | undefined> {
  const start = performance.now()
  while (pids.some(isAlive)) {
    if (performance.now() - start > limit) return undefined
    await delay(10)
  }
  return performance.now() - start
}

/** The command line of a process; empty if it has ended. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Returns the descendants of a service that run the stub plugin's engine, with their sandboxes. */
export const stubEngines = (service: number): number[] =>
  descendants(service).filter((pid) => commandOf(pid).includes('write.mjs'))
