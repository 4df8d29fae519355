import pLimit from 'p-limit'
import type { Logger } from 'pino'

/** Work that no answer waits for, such as sending mail. */
export interface Background {
  /** Returns at once. Logs work that fails or for which there is no room. */
  run(work: () => Promise<void>): void
  /** Waits for the work that has begun. */
  close(): Promise<void>
}

/** Pieces of work that may run, and that may wait, at one time. */
const BOUNDS = { running: 4, waiting: 200 }

/** @param dropped What the log says when too much waits. @param failed What it says when work fails. */
export function createBackground({
  log,
  dropped,
  failed,
}: {
  log: Logger
  dropped: string
  failed: string
}): Background {
  const limit = pLimit(BOUNDS.running)
  const underWay = new Set<Promise<void>>()
  return {
    run(work) {
      if (limit.pendingCount >= BOUNDS.waiting) return log.warn(dropped)
      const running = limit(work).catch((err) => log.error({ err }, failed))
      underWay.add(running)
      void running.finally(() => underWay.delete(running))
    },
    async close() {
      await Promise.all(underWay)
    },
  }
}
