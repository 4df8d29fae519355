import { setTimeout as delay } from 'node:timers/promises'
import type { Plugin, Weighed } from '../contract.ts'
import { lookInto, type Peek } from '../detection/source.ts'
import { callHook, startHook } from '../hooks.ts'
import type { FileStream } from '../storage/storage.ts'

/** Milliseconds that `light` of a plugin may take. A request waits for it. */
const LONGEST = 2000

/**
 * Decides whether a job waits in the heavy lane. Reads the file only if the plugin has a `light` for its heavy jobs.
 *
 * @param open Streams a range of the job's file; `end` is inclusive.
 * @throws HookFault if the plugin's `heavy` fails
 */
export async function isHeavy(
  { category: plugin, heavy, light }: Plugin,
  job: Weighed,
  open: (range: { start: number; end: number }) => FileStream,
): Promise<boolean> {
  if (!callHook({ plugin, hook: 'heavy' }, () => heavy?.(job))) return false
  if (!light) return true
  const file: Peek = {
    size: job.size,
    read: async (start, length) => Buffer.concat(await open({ start, end: start + length - 1 }).toArray()),
  }
  // Settles the answer if the plugin breaks outside its promise, or after the longest time.
  const given = new AbortController()
  const late = delay(LONGEST, false, { signal: given.signal }).catch(() => false)
  const answer = startHook(
    { plugin, hook: 'light' },
    () => given.abort(),
    () => light({ ...job, peek: (look) => lookInto(file, look) }),
  ).catch(() => false)
  const isLight = await Promise.race([answer, late])
  given.abort()
  return isLight !== true
}
