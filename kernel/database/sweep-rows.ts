import type { Logger } from 'pino'

/** Milliseconds after which a row is tried again that could not be removed. */
const AGAIN = 10 * 60_000

/** Failures in a row that end a sweep: the storage or the database is away, and each attempt could take a minute. */
const PATIENCE = 3

/**
 * Creates a sweep of expired rows with stored bytes. A row that cannot be removed does not keep others: it is skipped for
 * ten minutes. Each sweep logs its failures once. It resolves to the number of rows that it tried, or to 0 if it gave up, so
 * that the next one is not called at once.
 *
 * @param list Lists at most `limit` expired rows except these keys, the oldest first.
 * @param clock Returns monotonic milliseconds.
 */
export function createRowSweep<Row>({
  list,
  keyOf,
  erase,
  log,
  clock = () => performance.now(),
}: {
  list: (now: number, limit: number, except: readonly string[]) => Promise<Row[]>
  keyOf: (row: Row) => string
  erase: (row: Row) => Promise<void>
  log: Logger
  clock?: (() => number) | undefined
}): (now: number, limit: number) => Promise<number> {
  /** When to try rows again. Those that failed first come first. */
  const skipped = new Map<string, number>()

  return async (now, limit) => {
    for (const [key, until] of skipped) if (until <= clock()) skipped.delete(key)
    const rows = await list(now, limit, [...skipped.keys()])
    const failures: unknown[] = []
    let failedInRow = 0
    for (const row of rows) {
      try {
        await erase(row)
        failedInRow = 0
      } catch (error) {
        failures.push(error)
        skipped.set(keyOf(row), clock() + AGAIN)
        if (++failedInRow === PATIENCE) break
      }
    }
    if (failures.length)
      log.warn({ err: failures.at(-1), failed: failures.length }, 'expired rows could not be removed')
    return failedInRow === PATIENCE ? 0 : rows.length
  }
}
