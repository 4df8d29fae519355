/** What plugins and engines may call. It knows no format and no program. */

import type { FailureCode } from './contract.ts'

/** An error that tells a client why a conversion ended. The message is one sentence without paths. */
export const fail = (code: FailureCode, message: string): Error & { code: FailureCode } =>
  Object.assign(new Error(message), { code })

/** Whether an engine refused the file, so that another way is worth a try. Limits, cancels and bugs are not refusals. */
export const isRefusal = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === 'CONVERSION_ERROR'

/** What `attempt` resolves to; undefined when the engine refused the file. */
export async function unlessRefused<Result>(attempt: Promise<Result>): Promise<Result | undefined> {
  try {
    return await attempt
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/** A file made at one quality. */
export interface Attempt {
  /** The sandbox's own path. */
  file: string
  /** Bytes. */
  size: number
}

/**
 * Makes the file of the highest quality from 1 to `highest` that has at most `limit` bytes, by halving. Resolves to it,
 * or to undefined and the smallest size met when even the lowest quality is too large.
 *
 * @param make Makes the file at a quality, each under a name of its own.
 */
export async function bestWithin(
  limit: number,
  highest: number,
  make: (quality: number) => Promise<Attempt>,
): Promise<{ best: Attempt | undefined; smallest: number }> {
  let [low, high, smallest] = [1, highest, Number.POSITIVE_INFINITY]
  let best: Attempt | undefined
  for (let quality = high; low <= high; quality = (low + high) >> 1) {
    const attempt = await make(quality)
    smallest = Math.min(smallest, attempt.size)
    if (attempt.size > limit) high = quality - 1
    else {
      best = attempt
      low = quality + 1
    }
  }
  return { best, smallest }
}
