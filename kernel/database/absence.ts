import type { Logger } from 'pino'
import type { Database } from './database.ts'
import { isUnavailable } from './errors.ts'

/** Databases that do not answer now, with the time in `performance.now()` since when that is known. */
const absent = new WeakMap<Database, number>()

/**
 * Logs what failed. While the database is away, much fails for this one reason: so the first failure logs only that it
 * is away, and the others are lines of the level debug.
 *
 * @param fields Of the line, beside the error.
 */
export function logFailure(database: Database, log: Logger, err: unknown, message: string, fields: object = {}): void {
  const isAway = isUnavailable(err)
  if (isAway && !absent.has(database)) {
    absent.set(database, performance.now())
    log.warn({ reason: (err as Error).message }, 'the database is away')
  }
  log[isAway ? 'debug' : 'error']({ err, ...fields }, message)
}

/** Whether the database is away, as its last use showed. The settings are read from it every few seconds. */
export const isAway = (database: Database): boolean => absent.has(database)

/** Notes that the database has answered. Logs it if it was away. */
export function noteAnswer(database: Database, log: Logger): void {
  const since = absent.get(database)
  if (since === undefined) return
  absent.delete(database)
  log.info({ seconds: Math.round((performance.now() - since) / 1000) }, 'the database is back')
}
