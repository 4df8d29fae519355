/**
 * Functions that plugins and engines may call, and that the kernel shares with them. They depend on no format and no
 * program.
 */

import type { Args, FailureCode } from './contract.ts'

/** Returns an error that tells the client why a conversion failed. The message is one sentence without paths. */
export const fail = (code: FailureCode, message: string): Error & { code: FailureCode } =>
  Object.assign(new Error(message), { code })

/** Whether an engine refused the file, so that another engine may be tried. Limits, cancels and bugs do not count. */
export const isRefusal = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === 'CONVERSION_ERROR'

/** Flattens nested arguments into strings and drops falsy entries except 0. Throws TypeError on NUL characters. */
export function flatten(args: Args): string[] {
  return args.flatMap((entry) => {
    if (Array.isArray(entry)) return flatten(entry)
    if (entry !== 0 && !entry) return []
    const argument = String(entry)
    if (argument.includes('\0')) throw new TypeError('an argument contains a NUL character')
    return [argument]
  })
}

/**
 * The folder of a step's output in the scratch folder, for `pages/page.png`: `pages`. Undefined: the output has none.
 */
export const folderOfOutput = (output: string): string | undefined => /^[^/]+(?=\/)/.exec(output)?.[0]

/** Resolves to the result of `attempt`, or to undefined if the engine refused the file. */
export async function unlessRefused<Result>(attempt: Promise<Result>): Promise<Result | undefined> {
  try {
    return await attempt
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/**
 * Finds the highest quality from 1 to `highest` whose file has at most `limit` bytes, by binary search. Resolves to
 * that attempt as `best`, or to undefined if even the lowest quality is too large. `smallest` is the smallest size
 * tried.
 *
 * @param make Makes the file at a quality, each time under a different name. `size`: its bytes.
 */
export async function bestWithin<Attempt extends { size: number }>(
  limit: number,
  highest: number,
  make: (quality: number) => Promise<Attempt>,
): Promise<{ best: Attempt | undefined; smallest: number }> {
  let low = 1
  let high = highest
  let smallest = Number.POSITIVE_INFINITY
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
