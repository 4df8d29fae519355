import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setImmediate as breathe } from 'node:timers/promises'

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

const pageSize = readPageSize()
const TICKS = 100 // USER_HZ, the same on every Linux
const MOST = 1000 // most processes that one call of `treeBelow` visits
const SLICE = 2 // milliseconds that a scan may block the event loop at a time

/**
 * Makes a reader of the machine's process table. It remembers and skips processes without a watched ancestor, so that
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
    for (const name of list('/proc')) {
      const pid = Number(name)
      if (!(pid > 0) || foreign.has(pid)) continue
      const usage = read(pid)
      if (usage) seen.set(pid, usage)
      if (performance.now() - slice > SLICE) {
        await breathe()
        slice = performance.now()
      }
    }
    const trees = new Map(roots.map((root) => [root, new Map<number, Usage>()]))
    for (const pid of seen.keys()) {
      const root = rootOf(pid)
      if (root) trees.get(root)!.set(pid, seen.get(pid)!)
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
export const sum = (tree: ReadonlyMap<number, Usage>, key: 'memory' | 'cpu'): number =>
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
  for (let next = pending.pop(), count = 0; next !== undefined && count < MOST; next = pending.pop(), count++) {
    const usage = read(next)
    if (!usage) continue
    tree.set(next, usage)
    pending.push(...childrenOf(next, usage.threads))
  }
  return tree
}

/** Returns the children of a process. The kernel lists them by the thread that made them (proc_tid_children(5)). */
function childrenOf(pid: number, count: number): number[] {
  const threads = count === 1 ? [pid] : list(`/proc/${pid}/task`)
  return threads.flatMap((thread) => {
    try {
      const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      return children.split(' ').filter(Boolean).map(Number)
    } catch {
      return [] // the thread has ended
    }
  })
}

function read(pid: number): Usage | undefined {
  try {
    // As UTF-8, though a name may be other bytes: Node reads such a file in one call, a third cheaper.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may contain anything; the fields after the last bracket start with the third.
    const end = stat.lastIndexOf(')')
    const field = stat.slice(end + 2).split(' ')
    const cpu = [11, 12, 13, 14].reduce((sum, index) => sum + Number(field[index]), 0) / TICKS
    return {
      parent: Number(field[1]),
      name: stat.slice(stat.indexOf('(') + 1, end),
      threads: Number(field[17]),
      memory: Number(field[21]) * pageSize,
      cpu,
    }
  } catch {
    return undefined // it has ended
  }
}

/**
 * Returns the bytes of memory that processes use together; shared pages count once (PSS, proc_pid_smaps(5)). This is
 * far slower than the sum of `memory`, which counts a page again for every process that shares it after a fork.
 *
 * @param parts Which pages. Kernels before 5.4 tell only `Pss`, all of them.
 */
export async function memoryTogether(
  tree: ReadonlyMap<number, Usage>,
  parts: readonly ('Pss' | 'Pss_Anon' | 'Pss_Shmem')[] = ['Pss'],
): Promise<number> {
  const shares = await Promise.all(
    [...tree].map(async ([pid, { memory }]) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1').catch(() => undefined)
      if (!rollup) return memory
      const kilobytes = (part: string) =>
        Number(new RegExp(`^${part}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? Number.NaN)
      const share = parts.reduce((sum, part) => sum + kilobytes(part), 0)
      return (Number.isNaN(share) ? kilobytes('Pss') : share) * 1024
    }),
  )
  return shares.reduce((sum, share) => sum + share, 0)
}

/** Bytes that a process has written to disk (proc_pid_io(5)); 0 if the service cannot read that. */
export function bytesWritten(pid: number): number {
  try {
    return Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Reads AT_PAGESZ from the auxiliary vector (getauxval(3)); 4096 if it cannot be read. */
function readPageSize(): number {
  try {
    const words = new BigUint64Array(Uint8Array.from(readFileSync('/proc/self/auxv')).buffer)
    for (let index = 0; index + 1 < words.length; index += 2) if (words[index] === 6n) return Number(words[index + 1])
  } catch {}
  return 4096
}
