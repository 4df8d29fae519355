import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { listPids, readText } from '../limits/proc.ts'

/**
 * Returns the process name of the sandboxes of one work folder. The name identifies the folder by device and inode,
 * not by path: two services in separate mount namespaces can use the same path.
 */
export async function sandboxName(work: string): Promise<string> {
  const { dev, ino } = await stat(work)
  return `athanor-${dev.toString(36)}-${ino.toString(36)}`
}

/**
 * Kills the sandboxes with that name that run as `uid`, and returns their number. A sandbox outlives its service only
 * if the service was killed before bwrap could ask the kernel to kill it with the service.
 */
export function endOrphans(name: string, uid: number | undefined): number {
  let count = 0
  for (const pid of listPids()) {
    if (pid === process.pid || !readText(`/proc/${pid}/cmdline`).startsWith(`${name}\0`)) continue
    try {
      if (uid !== undefined && statSync(`/proc/${pid}`).uid !== uid) continue
      process.kill(pid, 'SIGKILL')
      count++
    } catch {} // it has ended, or belongs to another user
  }
  return count
}
