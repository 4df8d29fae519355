import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setImmediate as breathe } from 'node:timers/promises'
import { listNames, listPids, numberAfter, readStat, readText } from './proc.ts'

/** Resources that one process uses, from /proc/PID/stat (proc_pid_stat(5)). */
export interface Usage {
  parent: number
  /** Name of its program, at most 15 characters. */
  name: string
  threads: number
  /** Resident memory (RSS) in bytes, shared pages included. */
  memory: number
  /** Seconds of CPU that it and its ended children have used. */
  cpu: number
}

/** Processes of one tree by PID. */
export type Tree = ReadonlyMap<number, Usage>

const pageSize = readPageSize()
const TICKS = 100 // USER_HZ, the same on every Linux
const MAX_PROCESSES = 1000 // that one call of `treeBelow` visits
const SLICE_MS = 2 // that a scan may block the event loop at a time

/**
 * Creates a reader of the machine's process table. It remembers and skips processes without a watched ancestor, so that
 * scans are cheap on a busy host. Such a process can join a sandbox only if its PID is reused, so every 16th scan reads
 * all processes again.
 */
export function createProcessTable() {
  let foreign = new Set<number>()
  let scans = 0

  /** Returns the process tree of each root, by the root's PID. Trees include the root. They are empty without /proc. */
  return async function scan(roots: readonly number[]): Promise<Map<number, Map<number, Usage>>> {
    if (scans++ % 16 === 0) foreign = new Set()
    const seen = new Map<number, Usage>()
    let slice = performance.now()
    for (const pid of listPids()) {
      const usage = foreign.has(pid) ? undefined : usageOf(pid)
      if (usage) seen.set(pid, usage)
      if (performance.now() - slice > SLICE_MS) {
        await breathe()
        slice = performance.now()
      }
    }
    const trees = new Map(roots.map((root) => [root, new Map<number, Usage>()]))
    for (const [pid, usage] of seen) {
      const root = rootOf(pid)
      if (root) trees.get(root)!.set(pid, usage)
    }
    return trees

    /**
     * Returns the watched ancestor of `pid`. If the chain breaks off, an ancestor has just ended: `pid` is then not
     * remembered as foreign.
     */
    function rootOf(pid: number): number | undefined {
      let ancestor: number | undefined = pid
      for (let depth = 0; ancestor !== undefined && depth < 1000; depth++) {
        if (trees.has(ancestor)) return ancestor
        if (ancestor === process.pid) return undefined
        if (ancestor <= 1 || foreign.has(ancestor)) return void foreign.add(pid)
        ancestor = seen.get(ancestor)?.parent
      }
      return undefined
    }
  }
}

/**
 * Returns what the process `pid` and its descendants use now. Walks from parent to child, which is quicker than a scan
 * if there are few. Returns zeros if there is no /proc, or if the process has ended.
 */
export function usageBelow(pid: number): Pick<Usage, 'memory' | 'cpu'> {
  const tree = treeBelow(pid)
  return { memory: sum(tree, 'memory'), cpu: sum(tree, 'cpu') }
}

/** Sums a resource over a tree. */
export const sum = (tree: Tree, key: 'memory' | 'cpu'): number =>
  [...tree.values()].reduce((total, usage) => total + usage[key], 0)

/**
 * Bytes of memory that a process and its descendants keep from others. Pages of files, such as the code of programs,
 * are not counted: processes of one program share them, and the system takes them back if it needs them.
 */
export const memoryBelow = (pid: number): Promise<number> => memoryTogether(treeBelow(pid), ['Pss_Anon', 'Pss_Shmem'])

/** Returns the process `pid` and its descendants, from parent to child. */
export function treeBelow(pid: number): Map<number, Usage> {
  const tree = new Map<number, Usage>()
  const pending = [pid]
  for (
    let next = pending.pop(), count = 0;
    next !== undefined && count < MAX_PROCESSES;
    next = pending.pop(), count++
  ) {
    const usage = usageOf(next)
    if (!usage) continue
    tree.set(next, usage)
    pending.push(...childrenOf(next, usage.threads))
  }
  return tree
}

/** Returns the children of a process. The kernel lists them by the thread that made them (proc_tid_children(5)). */
function childrenOf(pid: number, count: number): number[] {
  const threads = count === 1 ? [pid] : listNames(`/proc/${pid}/task`)
  const children = threads.map((thread) => readText(`/proc/${pid}/task/${thread}/children`))
  return children.join(' ').split(' ').filter(Boolean).map(Number)
}

function usageOf(pid: number): Usage | undefined {
  const stat = readStat(pid)
  if (!stat) return undefined
  const { name, fields } = stat
  const cpu = [11, 12, 13, 14].reduce((total, index) => total + Number(fields[index]), 0) / TICKS
  const memory = Number(fields[21]) * pageSize
  return { parent: Number(fields[1]), name, threads: Number(fields[17]), memory, cpu }
}

/**
 * Returns the bytes of memory that processes use together; shared pages count once (PSS, proc_pid_smaps(5)). This is
 * far slower than the sum of `memory`, which counts a page again for every process that shares it after a fork.
 *
 * @param parts Which pages. Kernels before 5.4 tell only `Pss`, all of them.
 */
export async function memoryTogether(
  tree: Tree,
  parts: readonly ('Pss' | 'Pss_Anon' | 'Pss_Shmem')[] = ['Pss'],
): Promise<number> {
  const shares = await Promise.all(
    [...tree].map(async ([pid, { memory }]) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1').catch(() => undefined)
      if (!rollup) return memory
      const kilobytes = (part: string) => numberAfter(rollup, part) ?? Number.NaN
      const share = parts.reduce((total, part) => total + kilobytes(part), 0)
      return (Number.isNaN(share) ? kilobytes('Pss') : share) * 1024
    }),
  )
  return shares.reduce((total, share) => total + share, 0)
}

/** Bytes that a process has written to disk (proc_pid_io(5)); 0 if the service cannot read that. */
export const bytesWritten = (pid: number): number => numberAfter(readText(`/proc/${pid}/io`), 'write_bytes') ?? 0

/** Reads AT_PAGESZ from the auxiliary vector (getauxval(3)); 4096 if it cannot be read. */
function readPageSize(): number {
  try {
    const words = new BigUint64Array(Uint8Array.from(readFileSync('/proc/self/auxv')).buffer)
    for (let index = 0; index + 1 < words.length; index += 2) if (words[index] === 6n) return Number(words[index + 1])
  } catch {}
  return 4096
}
