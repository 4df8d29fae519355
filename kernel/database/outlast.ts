import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from './unavailable.ts'

/** Milliseconds between two tries. */
const PAUSE = { first: 100, most: 2000 }

/**
 * Does work that has to be written down, again and again for as long as the database is away.
 *
 * @param work `again` says that an earlier try may have been carried out, with its answer lost.
 * @param signal Once it has aborted there is no further try.
 * @param told Called once, with the error of the first try.
 * @throws the last error: one that time does not heal, or any after the abort.
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
    }
    await delay(pause, undefined, { signal }).catch(() => {})
  }
}
