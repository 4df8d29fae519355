import type { Knex } from 'knex'
import type { Logger } from 'pino'

/** Milliseconds after which a row is tried again that could not be removed. */
const RETRY_AFTER_MS = 10 * 60_000

/** Failures in a row that end a sweep: the storage or the database is away, and each attempt could take a minute. */
const MAX_FAILURES = 3

/** Returns the number of rows that a query matches. */
export async function countRows(query: Knex.QueryBuilder): Promise<number> {
  const [row] = await query.count({ rows: '*' })
  return Number(row.rows)
}

/**
 * Creates a sweep of expired rows with stored bytes. A row that cannot be removed does not keep others: it is skipped
 * for ten minutes. Each sweep logs its failures once. It resolves to the number of rows that it tried, or to 0 if it
 * gave up, so that the next one is not called at once.
 *
 * @param list Lists at most `limit` expired rows except these keys, the oldest first.
 */
export function createRowSweep<Row>({
  list,
  keyOf,
  erase,
  log,
}: {
  list: (now: number, limit: number, except: readonly string[]) => Promise<Row[]>
  keyOf: (row: Row) => string
  erase: (row: Row) => Promise<void>
  log: Logger
}): (now: number, limit: number) => Promise<number> {
  /** When to try rows again. Those that failed first come first. */
  const skipped = new Map<string, number>()

  return async (now, limit) => {
    for (const [key, until] of skipped) if (until <= now) skipped.delete(key)
    const rows = await list(now, limit, [...skipped.keys()])
    const failures: unknown[] = []
    let failedInRow = 0
    for (const row of rows) {
      try {
        await erase(row)
        failedInRow = 0
      } catch (error) {
        failures.push(error)
        skipped.set(keyOf(row), now + RETRY_AFTER_MS)
        if (++failedInRow === MAX_FAILURES) break
      }
    }
    if (failures.length)
      log.warn({ err: failures.at(-1), failed: failures.length }, 'expired rows could not be removed')
    return failedInRow === MAX_FAILURES ? 0 : rows.length
  }
}
