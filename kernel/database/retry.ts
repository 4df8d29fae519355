import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from './errors.ts'

/** Milliseconds before the second attempt. The pause doubles before each later one. */
const FIRST_PAUSE_MS = 100

/** Maximum milliseconds between two attempts. */
const MAX_PAUSE_MS = 2000

/**
 * Repeats work that must be recorded, as long as the database is unavailable.
 *
 * @param work `again`: an earlier attempt may have succeeded, but its answer was lost.
 * @param signal After it has aborted, there is no further attempt.
 * @param onFirstError Called once, with the error of the first attempt.
 * @throws the last error: a permanent one, or any error after the abort.
 */
export async function retryWhileUnavailable<T>(
  work: (again: boolean) => Promise<T>,
  { signal, onFirstError }: { signal: AbortSignal; onFirstError: (error: unknown) => void },
): Promise<T> {
  let again = false
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await work(again)
    } catch (error) {
      if (signal.aborted || !isUnavailable(error)) throw error
      if (!again) onFirstError(error)
      again = true
      await delay(pause, undefined, { signal }).catch(() => {
        throw error
      })
    }
  }
}

/** A signal that aborts when both have, until it is disposed of. */
export function whenBoth(one: AbortSignal, other: AbortSignal): { signal: AbortSignal } & Disposable {
  const both = new AbortController()
  const check = () => {
    if (one.aborted && other.aborted) both.abort()
  }
  const listening = new AbortController()
  for (const each of [one, other]) each.addEventListener('abort', check, { signal: listening.signal })
  check()
  return { signal: both.signal, [Symbol.dispose]: () => listening.abort() }
}
