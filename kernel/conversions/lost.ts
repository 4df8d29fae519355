import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { listPendingIds } from '../database/tables/conversions.ts'
import { ConversionFailure } from '../errors.ts'
import type { Scheduler } from '../queue/scheduler.ts'
import { recover } from './recovery.ts'

const GONE = 'The conversion was ended by an administrator'

/** Milliseconds between two looks. */
const INTERVAL = 2000

/**
 * Takes up conversions that are recorded but not in the scheduler, until the signal aborts: their record was written
 * while the answer to that statement was lost. And stops conversions that the scheduler has but that are not pending any
 * more: an administrator deleted their account. A look can fall between a record and its place in the queue, so only what
 * two looks in a row say counts.
 */
export async function takeUpLost(
  ground: Parameters<typeof recover>[0] & { database: Database; scheduler: Scheduler },
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  let missed = new Set<string>()
  let ended = new Set<string>()

  async function look(): Promise<void> {
    const { scheduler } = ground
    const scheduled = scheduler.ids()
    const pending = new Set(await listPendingIds(ground.database))
    const missing = new Set([...pending].filter((id) => !scheduler.has(id)))
    const lost = missing.intersection(missed)
    missed = missing.difference(lost)
    const over = new Set(scheduled.filter((id) => !pending.has(id)))
    for (const id of over.intersection(ended)) scheduler.cancel(id, new ConversionFailure('CANCELLED', GONE))
    ended = over
    if (lost.size) log.warn({ conversions: await recover(ground, lost) }, 'lost conversions taken up')
  }

  while (!signal.aborted) {
    await delay(INTERVAL, undefined, { signal, ref: false }).catch(() => {})
    if (!signal.aborted) await look().catch((err) => log.error({ err }, 'lost conversions not looked for'))
  }
}
