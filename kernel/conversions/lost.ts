import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { listPendingIds } from '../database/tables/conversions.ts'
import type { Scheduler } from '../queue/scheduler.ts'
import { recover } from './recovery.ts'

/** Milliseconds between two looks. */
const INTERVAL = 5000

/**
 * Takes up conversions that are recorded but not in the scheduler, until the signal aborts: their record was written
 * while the answer to that statement was lost. A look can fall between a record and its place in the queue, so a
 * conversion counts as lost when two looks in a row miss it.
 */
export async function takeUpLost(
  ground: Parameters<typeof recover>[0] & { database: Database; scheduler: Scheduler },
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  let missed = new Set<string>()

  async function look(): Promise<void> {
    const pending = await listPendingIds(ground.database)
    const missing = new Set(pending.filter((id) => !ground.scheduler.has(id)))
    const lost = missing.intersection(missed)
    missed = missing.difference(lost)
    if (lost.size) log.warn({ conversions: await recover(ground, lost) }, 'lost conversions taken up')
  }

  while (!signal.aborted) {
    await delay(INTERVAL, undefined, { signal, ref: false }).catch(() => {})
    if (!signal.aborted) await look().catch((err) => log.error({ err }, 'lost conversions not looked for'))
  }
}
