import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from '../database/errors.ts'

/** Milliseconds before the second attempt. The pause doubles before each later one. */
const FIRST_PAUSE_MS = 100

/** Maximum milliseconds between two attempts. */
const MAX_PAUSE_MS = 2000

/**
 * Repeats work that must be recorded, as long as the database is unavailable.
 *
 * @param work `isRetry`: an earlier attempt may have succeeded, but its answer was lost.
 * @param isOver Whether there must be no further attempt.
 * @param onFirstError Called once, with the error of the first attempt.
 * @throws the last error.
 */
export async function retryWhileUnavailable<T>(
  work: (isRetry: boolean) => Promise<T>,
  { isOver, onFirstError }: { isOver: () => boolean; onFirstError: (error: unknown) => void },
): Promise<T> {
  let isRetry = false
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await work(isRetry)
    } catch (error) {
      if (isOver() || !isUnavailable(error)) throw error
      if (!isRetry) onFirstError(error)
      isRetry = true
      await delay(pause)
      if (isOver()) throw error
    }
  }
}
