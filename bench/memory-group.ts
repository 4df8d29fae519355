import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A control group whose processes may use only so much memory together, and no swap. */
export interface MemoryGroup {
  /** Runs `start` with this process inside, so that what it starts stays inside. This process leaves it afterwards. */
  within<T>(start: () => Promise<T>): Promise<T>
  /** Bytes that its processes have used at most, cached files included. */
  peak(): number
  /** How many processes the kernel has killed because the memory was used up. */
  kills(): number
  remove(): void
}

/** Makes such a group of cgroup version 1 or 2, or returns why this machine does not allow it. */
export function makeMemoryGroup(bytes: number): MemoryGroup | { missing: string } {
  const root = '/sys/fs/cgroup'
  const isV2 = existsSync(join(root, 'cgroup.controllers'))
  const folder = join(root, isV2 ? '' : 'memory', `athanor-bench-${process.pid}`)
  try {
    mkdirSync(folder)
    const read = (name: string) => readFileSync(join(folder, name), 'latin1')
    const write = (name: string, value: number) => writeFileSync(join(folder, name), `${value}`)
    if (isV2) {
      write('memory.max', bytes)
      write('memory.swap.max', 0)
    } else {
      write('memory.limit_in_bytes', bytes)
      write('memory.memsw.limit_in_bytes', bytes)
    }
    const own = readFileSync('/proc/self/cgroup', 'latin1')
    const home = (isV2 ? /^0::(.*)$/m : /^\d+:memory:(.*)$/m).exec(own)![1]!
    return {
      async within(start) {
        write('cgroup.procs', process.pid)
        try {
          return await start()
        } finally {
          writeFileSync(join(root, isV2 ? '' : 'memory', home, 'cgroup.procs'), `${process.pid}`)
        }
      },
      peak: () => Number(read(isV2 ? 'memory.peak' : 'memory.max_usage_in_bytes')),
      kills: () => Number(/^oom_kill (\d+)/m.exec(read(isV2 ? 'memory.events' : 'memory.oom_control'))![1]),
      remove: () => rmdirSync(folder),
    }
  } catch (error) {
    if (existsSync(folder)) rmdirSync(folder)
    return { missing: (error as Error).message }
  }
}
