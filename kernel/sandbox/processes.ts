import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setImmediate as breathe } from 'node:timers/promises'

/** What one process uses, from /proc/PID/stat (proc_pid_stat(5)). */
export interface Usage {
  parent: number
  /** Bytes in memory (RSS), shared ones included. */
  memory: number
  /** Seconds of CPU of its own and of its ended children. */
  cpu: number
}

const pageSize = readPageSize()
const TICKS = 100 // USER_HZ, the same on every Linux
const MOST = 1000 // processes that one look follows
const SLICE = 2 // milliseconds that a scan keeps the event loop without a break

/**
 * Makes a reader of the machine's process table. It remembers processes without a watched ancestor, so that a busy
 * host costs little; none of those can come to belong to a sandbox later but by its number being used again, and so
 * they are looked at anew now and then.
 */
export function createProcessTable() {
  let foreign = new Set<number>()
  let scans = 0

  /** The trees below `roots`, each with its root, by the root's process id. Empty where there is no /proc. */
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

    /** The watched process above `pid`. A chain that breaks off is one whose links have just ended: it says nothing. */
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
 * What the process `pid` and all below it use now, found from parent to child: quicker than a scan where there are few.
 * Nothing where there is no /proc, or it has ended.
 */
export function usageBelow(pid: number): Pick<Usage, 'memory' | 'cpu'> {
  const total = { memory: 0, cpu: 0 }
  const pending = [pid]
  for (let next = pending.pop(), count = 0; next !== undefined && count < MOST; next = pending.pop(), count++) {
    const usage = read(next)
    if (!usage) continue
    total.memory += usage.memory
    total.cpu += usage.cpu
    pending.push(...childrenOf(next))
  }
  return total
}

/** The children of a process, each of which belongs to the thread that made it (proc_tid_children(5)). */
function childrenOf(pid: number): number[] {
  return list(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1')
      return children.split(' ').filter(Boolean).map(Number)
    } catch {
      return [] // the thread has ended
    }
  })
}

function read(pid: number): Usage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in brackets may contain anything; the fields after the last bracket start with the third.
    const field = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const cpu = [11, 12, 13, 14].reduce((sum, index) => sum + Number(field[index]), 0) / TICKS
    return { parent: Number(field[1]), memory: Number(field[21]) * pageSize, cpu }
  } catch {
    return undefined // it has ended
  }
}

/**
 * Bytes in memory of processes together, in which what they share counts once (PSS, proc_pid_smaps(5)). That is far
 * slower to find out than the sum of `memory`, which counts a page again in every process that forked with it.
 */
export async function memoryTogether(tree: ReadonlyMap<number, Usage>): Promise<number> {
  const shares = await Promise.all(
    [...tree].map(async ([pid, { memory }]) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1').catch(() => undefined)
      const share = rollup && /^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]
      return share === undefined ? memory : Number(share) * 1024
    }),
  )
  return shares.reduce((sum, share) => sum + share, 0)
}

/** Bytes that a process has written to disk (proc_pid_io(5)); 0 when that may not be known. */
export function bytesWritten(pid: number): number {
  try {
    return Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'latin1'))?.[1] ?? 0)
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

/** AT_PAGESZ of the auxiliary vector: getauxval(3). */
function readPageSize(): number {
  try {
    const words = new BigUint64Array(Uint8Array.from(readFileSync('/proc/self/auxv')).buffer)
    for (let index = 0; index + 1 < words.length; index += 2) if (words[index] === 6n) return Number(words[index + 1])
  } catch {}
  return 4096
}
