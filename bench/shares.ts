import { existsSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A share of a processor. */
export interface Share {
  /** A command that runs the command after it with this share. */
  through: readonly string[]
  /** Milliseconds of processor time that it has taken so far, with all its descendants. */
  used(): Promise<number>
}

const PERIOD = 100_000
const FIRST = { cpu: '/sys/fs/cgroup/cpu', account: '/sys/fs/cgroup/cpuacct' }
const SECOND = { cpu: '/sys/fs/cgroup', account: '/sys/fs/cgroup' }

/**
 * Makes groups of processes with a share of a processor each, by cgroups(7) of either version. Undefined: not allowed.
 */
export async function openShares() {
  const isFirst = existsSync(join(FIRST.cpu, 'cpu.cfs_quota_us'))
  const parents = isFirst ? FIRST : SECOND
  const made: string[] = []
  let count = 0

  async function next(share: number): Promise<Share> {
    const name = `athanor-bench-${process.pid}-${count++}`
    const cpu = join(parents.cpu, name)
    const account = join(parents.account, name)
    for (const group of [cpu, account]) {
      // Both can be the same folder.
      await mkdir(group, { recursive: true })
      made.push(group)
    }
    const quota = Math.round(PERIOD * share)
    await writeFile(join(cpu, isFirst ? 'cpu.cfs_quota_us' : 'cpu.max'), isFirst ? `${quota}` : `${quota} ${PERIOD}`)
    const enter = 'echo $$ > "$0/cgroup.procs" && echo $$ > "$1/cgroup.procs" && shift && exec "$@"'
    const used = async () => {
      if (isFirst) return Number(await readFile(join(account, 'cpuacct.usage'), 'utf8')) / 1e6
      return Number(/^usage_usec (\d+)/m.exec(await readFile(join(account, 'cpu.stat'), 'utf8'))![1]) / 1000
    }
    return { through: ['sh', '-c', enter, cpu, account], used }
  }
  const close = async () => {
    for (const group of made) await rmdir(group).catch(() => {})
  }
  try {
    await next(1)
  } catch {
    await close()
    return undefined
  }
  return { next, close }
}
