import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

/** First and longest poll interval, and timeout, in milliseconds. A killed process may take long to end. */
const STEP = 1
const LONGEST = 16
const MOST = 2000

/**
 * Tracks the first process of a sandbox, whose PID bwrap reports on `--info-fd`. bwrap itself ends with the program
 * that it started. Processes that the program left behind end with the first process: once it is gone, none is left
 * (pid_namespaces(7)). The returned function resolves then, or after 2 s at the latest.
 */
export function followInit(information: Readable): () => Promise<void> {
  let pid: number | undefined
  let born: string | undefined
  let text = ''
  information
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const found = /"child-pid": (\d+)/.exec(text)?.[1]
      if (!found || pid) return
      pid = Number(found)
      born = birth(pid)
    })
  return async () => {
    const latest = performance.now() + MOST
    for (let step = STEP; pid && born && birth(pid) === born && performance.now() < latest; step *= 2)
      await delay(Math.min(step, LONGEST))
  }
}

/** Start time of a process (proc_pid_stat(5)), which detects a reused PID; undefined if it is gone or a zombie. */
function birth(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return 'ZX'.includes(fields[0]!) ? undefined : fields[19]
  } catch {
    return undefined
  }
}
