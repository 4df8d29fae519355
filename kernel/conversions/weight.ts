import { addAbortSignal } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Plugin, Weighed } from '../contract.ts'
import { lookInto, type Peek } from '../detection/source.ts'
import { callHook, startHook } from '../hooks.ts'
import type { FileStream } from '../storage/storage.ts'

/** Milliseconds that `light` of a plugin may take. A request waits for it. */
const LONGEST = 1000

/** Whether a job waits in the heavy lane, unless its file shows that it is light. @throws HookFault if `heavy` fails. */
export const isHeavy = ({ category: plugin, heavy }: Plugin, job: Weighed): boolean =>
  Boolean(callHook({ plugin, hook: 'heavy' }, () => heavy?.(job)))

/**
 * Whether the file of a heavy job shows that it is light after all. False if that cannot be told in time.
 *
 * @param open Streams a range of the job's file; `end` is inclusive.
 */
export async function isLight(
  { category: plugin, light }: Plugin,
  job: Weighed,
  open: (range: { start: number; end: number }) => FileStream,
): Promise<boolean> {
  if (!light) return false
  // Settles the answer if the plugin breaks outside its promise, or after the longest time. Ends all reads.
  const given = new AbortController()
  const { signal } = given
  const file: Peek = {
    size: job.size,
    async read(start, length) {
      signal.throwIfAborted()
      return Buffer.concat(await addAbortSignal(signal, open({ start, end: start + length - 1 })).toArray())
    },
  }
  const late = delay(LONGEST, false, { signal }).catch(() => false)
  const answer = startHook(
    { plugin, hook: 'light' },
    () => given.abort(),
    () => light({ ...job, peek: (look) => lookInto(file, look) }),
  ).catch(() => false)
  const told = await Promise.race([answer, late])
  given.abort()
  return told === true
}
