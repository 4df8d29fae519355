import { freemem, totalmem } from 'node:os'
import { basename, dirname } from 'node:path'
import { LEAF, ownGroup, read } from './own-cgroup.ts'

/** Bytes of memory that the machine, or the service's cgroup, could still give to new processes. */
export const memoryLeft = (): number => Math.min(freemem(), leftInGroup())

/** Bytes of memory that the service and its engines may use together: the machine's, or the limit of its cgroup. */
export function memoryOfMachine(): number {
  // Also knows cgroup version 1, and limits above the own group. 0 or more than the machine has: there is none.
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(totalmem(), constrained, groupLimit()?.most ?? Number.POSITIVE_INFINITY)
}

/** Bytes that idle processes may use: as configured, but at most a quarter of the machine's memory. */
export const idleBudget = (configured: number, machine = memoryOfMachine()): number => Math.min(configured, machine / 4)

/** Infinity: no limit is known (cgroup-v2: memory.current, memory.stat). */
function leftInGroup(): number {
  const limit = groupLimit()
  if (!limit) return Number.POSITIVE_INFINITY
  const { most, folder } = limit
  // The kernel drops cached files before it runs out of memory.
  const cached = Number(/^inactive_file (\d+)$/m.exec(read(folder, 'memory.stat'))?.[1] ?? 0)
  return most - Number(read(folder, 'memory.current')) + cached
}

/** The service's cgroup and its limit in bytes (cgroup-v2: memory.max); undefined: no limit is known. */
function groupLimit(): { most: number; folder: string } | undefined {
  const own = ownGroup(read('/proc/self', 'cgroup'), read('/proc/self', 'mountinfo'))
  if ('missing' in own) return undefined
  const folder = basename(own.group) === LEAF ? dirname(own.folder) : own.folder
  const most = Number.parseInt(read(folder, 'memory.max'), 10)
  return most >= 0 ? { most, folder } : undefined
}
