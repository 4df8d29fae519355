import pLimit from 'p-limit'
import type { Logger } from 'pino'

/** How many pieces of work may run, and how many may wait. */
const BOUNDS = { running: 4, waiting: 200 }

/**
 * Runs work that no answer waits for, such as sending mail.
 *
 * @param dropped Log message if too much waits. @param failed Log message if work fails.
 */
export function createBackground(log: Logger, dropped: string, failed: string) {
  const limit = pLimit(BOUNDS.running)
  const underWay = new Set<Promise<void>>()
  return {
    /** Returns at once. Logs work that fails, or that is dropped because too much waits. */
    run(work: () => Promise<void>) {
      if (limit.pendingCount >= BOUNDS.waiting) return log.warn(dropped)
      const running = limit(work).catch((err) => log.error({ err }, failed))
      underWay.add(running)
      void running.finally(() => underWay.delete(running))
    },
    /** Waits for the work that has started. */
    async close() {
      await Promise.all(underWay)
    },
  }
}
