import { freemem, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { ownGroup } from './own-cgroup.ts'
import { numberAfter, readText } from './proc.ts'

/** Bytes of memory that the machine, or the service's cgroup, could still give to new processes. */
export function memoryLeft(): number {
  const left = groupLimits().map(({ max, folder }) => {
    // The kernel drops cached files before it runs out of memory (cgroup-v2: memory.stat).
    const cached = numberAfter(readText(join(folder, 'memory.stat')), 'inactive_file') ?? 0
    return max - Number(readText(join(folder, 'memory.current'))) + cached
  })
  return Math.min(freemem(), ...left)
}

/** Bytes of memory that the service and its engines may use together: the machine's, or the limit of its cgroup. */
export function memoryOfMachine(): number {
  // Knows cgroup version 1, but only the own group. 0 or more than the machine has: there is none.
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(totalmem(), constrained, ...groupLimits().map(({ max }) => max))
}

/** Bytes that idle processes may use: as configured, but at most a quarter of the machine's memory. */
export const idleBudget = (configured: number, machine = memoryOfMachine()): number => Math.min(configured, machine / 4)

/** The limits in bytes of the service's cgroup and of those around it that it can see (cgroup-v2: memory.max). */
function groupLimits(): { max: number; folder: string }[] {
  const own = ownGroup()
  if ('missing' in own) return []
  const limits: { max: number; folder: string }[] = []
  // In the service's own leaf there is no limit. Each cgroup has this file; the folder that they are mounted in has
  // not.
  for (let { folder } = own; readText(join(folder, 'cgroup.stat')) !== ''; folder = dirname(folder)) {
    const max = Number.parseInt(readText(join(folder, 'memory.max')), 10)
    if (max >= 0) limits.push({ max, folder })
  }
  return limits
}
