import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { logFailure } from '../database/absence.ts'
import { listPendingIds } from '../database/tables/conversions.ts'
import { ConversionFailure } from '../errors.ts'
import { type RecoveryParts, recover } from './recovery.ts'

const GONE = 'The conversion was ended by an administrator'

/** Milliseconds between two checks. */
const INTERVAL = 2000

/**
 * Reconciles the database and the scheduler until the signal aborts. Queues recorded conversions that the scheduler
 * does not know: the database wrote their record, but its answer was lost. Cancels scheduled conversions that are no
 * longer pending: an administrator deleted their account. A check can fall between writing a record and queueing it, so
 * a conversion must be found by two checks in a row.
 */
export async function takeUpLost(parts: RecoveryParts, log: Logger, signal: AbortSignal): Promise<void> {
  let missed = new Set<string>()
  let ended = new Set<string>()

  async function look(): Promise<void> {
    const { scheduler } = parts
    const scheduled = scheduler.ids()
    const pending = new Set(await listPendingIds(parts.database))
    const missing = new Set([...pending].filter((id) => !scheduler.has(id)))
    const lost = missing.intersection(missed)
    missed = missing.difference(lost)
    const over = new Set(scheduled.filter((id) => !pending.has(id)))
    for (const id of over.intersection(ended)) scheduler.cancel(id, new ConversionFailure('CANCELLED', GONE))
    ended = over
    if (lost.size) log.warn({ conversions: await recover(parts, signal, lost) }, 'lost conversions resumed')
  }

  const complain = (err: unknown) => logFailure(parts.database, log, err, 'cannot look for lost conversions')
  while (!signal.aborted) {
    await delay(INTERVAL, undefined, { signal, ref: false }).catch(() => {})
    if (!signal.aborted) await look().catch(complain)
  }
}
