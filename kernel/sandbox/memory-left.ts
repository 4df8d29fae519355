import { freemem, totalmem } from 'node:os'
import { dirname } from 'node:path'
import { ownGroup, read } from './own-cgroup.ts'

/**
 * Milliseconds that an answer of at least `PLENTY` bytes lasts. To find it takes a dozen files, and many owners ask a
 * hundred times a second.
 */
const LASTS = 200
const PLENTY = 1024 ** 3

let found = { bytes: 0, until: 0 }

/**
 * Bytes of memory that the machine, or the service's cgroup, could still give to new processes: up to 200 ms old if it
 * is much.
 */
export function memoryLeft(): number {
  const now = performance.now()
  if (now >= found.until || found.bytes < PLENTY)
    found = { bytes: Math.min(freemem(), leftInGroup()), until: now + LASTS }
  return found.bytes
}

/** Bytes of memory that the service and its engines may use together: the machine's, or the limit of its cgroup. */
export function memoryOfMachine(): number {
  // Knows cgroup version 1, but only the own group. 0 or more than the machine has: there is none.
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(totalmem(), constrained, ...groupLimits().map(({ most }) => most))
}

/** Bytes that idle processes may use: as configured, but at most a quarter of the machine's memory. */
export const idleBudget = (configured: number, machine = memoryOfMachine()): number => Math.min(configured, machine / 4)

/** Infinity: no limit is known (cgroup-v2: memory.current, memory.stat). */
function leftInGroup(): number {
  const left = groupLimits().map(({ most, folder }) => {
    // The kernel drops cached files before it runs out of memory.
    const cached = Number(/^inactive_file (\d+)$/m.exec(read(folder, 'memory.stat'))?.[1] ?? 0)
    return most - Number(read(folder, 'memory.current')) + cached
  })
  return Math.min(...left)
}

/** The limits in bytes of the service's cgroup and of those around it that it can see (cgroup-v2: memory.max). */
function groupLimits(): { most: number; folder: string }[] {
  const own = ownGroup(read('/proc/self', 'cgroup'), read('/proc/self', 'mountinfo'))
  if ('missing' in own) return []
  const limits: { most: number; folder: string }[] = []
  // In the service's own leaf there is no limit. Each cgroup has this file; the folder that they are mounted in has
  // not.
  for (let { folder } = own; read(folder, 'cgroup.stat') !== ''; folder = dirname(folder)) {
    const most = Number.parseInt(read(folder, 'memory.max'), 10)
    if (most >= 0) limits.push({ most, folder })
  }
  return limits
}
