import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { readStat } from '../limits/proc.ts'

/** First and longest poll interval, and timeout, in milliseconds. A killed process may take long to end. */
const FIRST_POLL_MS = 1
const MAX_POLL_MS = 16
const TIMEOUT_MS = 2000

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
    const latest = performance.now() + TIMEOUT_MS
    for (let step = FIRST_POLL_MS; pid && born && birth(pid) === born && performance.now() < latest; step *= 2)
      await delay(Math.min(step, MAX_POLL_MS))
  }
}

/** Start time of a process (proc_pid_stat(5)), which detects a reused PID; undefined if it is gone or a zombie. */
function birth(pid: number): string | undefined {
  const fields = readStat(pid)?.fields
  return fields && !'ZX'.includes(fields[0]!) ? fields[19] : undefined
}
