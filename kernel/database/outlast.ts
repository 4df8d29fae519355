import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from './unavailable.ts'

/** Milliseconds between two attempts. */
const PAUSE = { first: 100, most: 2000 }

/**
 * Repeats work that must be recorded, as long as the database is unavailable.
 *
 * @param work `again`: an earlier attempt may have succeeded, but its answer was lost.
 * @param signal After it has aborted, there is no further attempt.
 * @param told Called once, with the error of the first attempt.
 * @throws the last error: a permanent one, or any error after the abort.
 */
export async function outlast<T>(
  work: (again: boolean) => Promise<T>,
  signal: AbortSignal,
  told: (error: unknown) => void,
): Promise<T> {
  for (let pause = PAUSE.first, again = false; ; pause = Math.min(pause * 2, PAUSE.most)) {
    try {
      return await work(again)
    } catch (error) {
      if (signal.aborted || !isUnavailable(error)) throw error
      if (!again) told(error)
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
  const look = () => one.aborted && other.aborted && both.abort()
  const listening = new AbortController()
  for (const each of [one, other]) each.addEventListener('abort', look, { signal: listening.signal })
  look()
  return { signal: both.signal, [Symbol.dispose]: () => listening.abort() }
}
