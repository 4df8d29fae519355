import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds. */
const [STEP, MOST] = [1, 2000]

/**
 * Follows the first process of a sandbox by what bwrap tells on `--info-fd`. bwrap itself ends with the program that
 * it started; what that left behind ends with the first process, and only when this is gone nothing else is left
 * (pid_namespaces(7)). The function that it returns resolves then, after 2 s in any case.
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
    while (pid && born && birth(pid) === born && performance.now() < latest) await delay(STEP)
  }
}

/** When a process was born, by proc_pid_stat(5); undefined when it is gone, or only waits to be reaped. */
function birth(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return 'ZX'.includes(fields[0]!) ? undefined : fields[19]
  } catch {
    return undefined
  }
}
