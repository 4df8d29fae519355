import { readdirSync, readFileSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'

/**
 * The name under which the sandboxes of one work folder are started. It is the folder's own, whatever path leads to
 * it: two services in mount namespaces of their own can have the same path.
 */
export async function sandboxName(work: string): Promise<string> {
  const { dev, ino } = await stat(work)
  return `athanor-${dev.toString(36)}-${ino.toString(36)}`
}

/**
 * Ends sandboxes of that name that run as `uid`: those of a service that was killed in the moment of starting them,
 * before bwrap had asked the kernel to end them with it. Later ones end by themselves. Returns how many there were.
 */
export function endOrphans(name: string, uid: number | undefined): number {
  let count = 0
  for (const pid of list()) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(`${name}\0`)) continue
      if (uid !== undefined && statSync(`/proc/${pid}`).uid !== uid) continue
      process.kill(pid, 'SIGKILL')
      count++
    } catch {} // it has ended, or is somebody else's
  }
  return count
}

function list(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 1 && pid !== process.pid)
  } catch {
    return []
  }
}
