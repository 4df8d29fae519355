import { freemem } from 'node:os'
import { basename, dirname } from 'node:path'
import { LEAF, ownGroup, read } from './own-cgroup.ts'

/** Bytes of memory that the machine, or the service's cgroup, could still give to new processes. */
export const memoryLeft = (): number => Math.min(freemem(), leftInGroup())

/** Infinity: no limit is known (cgroup-v2: memory.max, memory.current, memory.stat). */
function leftInGroup(): number {
  const own = ownGroup(read('/proc/self', 'cgroup'), read('/proc/self', 'mountinfo'))
  if ('missing' in own) return Number.POSITIVE_INFINITY
  const folder = basename(own.group) === LEAF ? dirname(own.folder) : own.folder
  const most = Number.parseInt(read(folder, 'memory.max'), 10)
  if (!(most >= 0)) return Number.POSITIVE_INFINITY
  // The kernel drops cached files before it runs out of memory.
  const cached = Number(/^inactive_file (\d+)$/m.exec(read(folder, 'memory.stat'))?.[1] ?? 0)
  return most - Number(read(folder, 'memory.current')) + cached
}
