import type { Database } from './database.ts'

/** Maximum runs of work that the database aborts because of deadlocks. */
const MAX_RUNS = 5

/** Deadlocks are retried. Lock-wait timeouts are not: the client has already waited. */
const RETRIED: ReadonlySet<unknown> = new Set(['ER_LOCK_DEADLOCK', 'ER_CHECKREAD'])

/**
 * Runs work in one transaction, which is rolled back if it throws. The work may run several times, after deadlocks, so
 * everything that it changes outside the database must allow that.
 *
 * @param work All its statements must use the transaction that it gets: on SQLite there is no other connection, and a
 *   statement on `database` would wait for ever.
 */
export async function transact<T>(database: Database, work: (transaction: Database) => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await database.transaction(work)
    } catch (error) {
      if (run === MAX_RUNS || !RETRIED.has((error as NodeJS.ErrnoException).code)) throw error
    }
  }
}
