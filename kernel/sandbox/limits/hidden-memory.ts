import { closeSync, openSync, readSync, statfsSync } from 'node:fs'
import type { MemoryFileSystems } from '../walls/bubblewrap.ts'
import { listNames, numberAfter, readLink, readText } from './proc.ts'
import type { Tree } from './processes.ts'

/** Memory that a sandbox uses besides the pages of its processes. */
export type Hidden = ReturnType<typeof hiddenMemory>

const KiB = 1024
/** TMPFS_MAGIC, statfs(2). */
const TMPFS = 0x01021994
/** Kernel memory in bytes for an empty tmpfs file, a thread, and a descriptor (including a full pipe). */
const INODE = 1.25 * KiB
const THREAD = 32 * KiB
const DESCRIPTOR = 8 * KiB
/** Number of sockets, descriptors and processes that are not counted: ordinary programs have no more. */
const FREE = { sockets: 128, descriptors: 1024, processes: 8 }
/** Kernel memory in bytes for a process with the maximum number of memory areas (vm.max_map_count). */
const AREAS = 216 * (Number(readText('/proc/sys/vm/max_map_count')) || 65_530)

/** Maximum bytes that one socket can queue: a full send buffer and one more message. */
const SOCKET = 2 * (Number(readText('/proc/sys/net/core/wmem_default')) || 212_992)

/**
 * Adds up memory of a process tree that is in no resident set, as far as it can be measured: page tables, memory areas,
 * threads, descriptors, socket queues, and files in the memory file systems with their inodes. The kernel does not
 * report socket queues, so each counted socket adds its maximum. Reads only /proc (proc_pid_status(5),
 * proc_pid_net(5)).
 */
export function hiddenMemory(tree: Tree, sizes: MemoryFileSystems | undefined) {
  /** Bytes of memory. */
  let bytes = 0
  let descriptors = 0
  for (const [index, pid] of [...tree.keys()].entries()) {
    if (index >= FREE.processes && hasManyAreas(pid)) bytes += AREAS
    const status = readText(`/proc/${pid}/status`)
    bytes += field(status, 'VmPTE') * KiB + field(status, 'Threads') * THREAD
    descriptors += field(status, 'FDSize')
  }
  bytes += Math.max(0, descriptors - FREE.descriptors) * DESCRIPTOR
  if (!sizes) return { bytes, files: 0 }
  // The first process, bwrap, is outside of the sandbox. The others can tell what is inside.
  const newest = [...tree.keys()].reverse()
  bytes += Math.max(0, socketsOf(newest) - FREE.sockets) * SOCKET
  /** Files in memory file systems. */
  let files = 0
  for (const [place, size] of Object.entries(sizes)) {
    const used = usedOf(newest, place, size)
    bytes += used.bytes + used.files * INODE
    files += used.files
  }
  return { bytes, files }
}

/**
 * Usage of one memory file system, read through a process inside the sandbox. Not in a thread of its own: that takes
 * six times the CPU of this call, which no disk can delay.
 */
function usedOf(pids: readonly number[], place: string, size: number): Hidden {
  for (const pid of pids) {
    const found = statisticsOf(`/proc/${pid}/root${place}`)
    if (found?.type !== TMPFS || found.blocks * found.bsize !== size) continue
    return { bytes: (found.blocks - found.bfree) * found.bsize, files: found.files - found.ffree }
  }
  return { bytes: 0, files: 0 }
}

/**
 * Returns true if a process has more memory areas (proc_pid_maps(5)) than any ordinary program. Stops reading after
 * 256 KiB, which is about 3,000 areas.
 */
function hasManyAreas(pid: number): boolean {
  const room = Buffer.allocUnsafe(16 * KiB)
  let file: number | undefined
  try {
    file = openSync(`/proc/${pid}/maps`, 'r')
    for (let read = 0; read < 256 * KiB; ) {
      const bytes = readSync(file, room)
      if (bytes === 0) return false
      read += bytes
    }
    return true
  } catch {
    return false // the process has ended
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/**
 * Maximum number of files that one tree watches by epoll(7); browsers watch a hundred. The kernel limits them by user,
 * at about 200,000 for each GiB of memory (proc_sys_fs(5)).
 */
const MAX_WATCHES = 10_000

/**
 * Returns true if the processes of a tree watch too many files by epoll(7) (proc_pid_fdinfo(5)). Each process counts an
 * epoll instance that several share. Stops at the maximum, because a large instance takes long to read.
 */
export function hasManyWatches(tree: Tree): boolean {
  let count = 0
  for (const pid of tree.keys()) {
    for (const name of listNames(`/proc/${pid}/fd`)) {
      if (readLink(`/proc/${pid}/fd/${name}`) !== 'anon_inode:[eventpoll]') continue
      count += readText(`/proc/${pid}/fdinfo/${name}`).match(/^tfd:/gm)?.length ?? 0
      if (count > MAX_WATCHES) return true
    }
  }
  return false
}

/** Number of sockets, of all families, in the network namespace of the sandbox. */
function socketsOf(pids: readonly number[]): number {
  const own = readLink('/proc/self/ns/net')
  for (const pid of pids) {
    const network = readLink(`/proc/${pid}/ns/net`)
    if (network && network !== own) return field(readText(`/proc/${pid}/net/sockstat`), 'sockets: used')
  }
  return 0
}

const field = (text: string, name: string) => numberAfter(text, name) ?? 0

function statisticsOf(path: string) {
  try {
    return statfsSync(path)
  } catch {
    return undefined // the process has ended
  }
}
