import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { type ConversionRow, PENDING } from '../database/tables/conversions.ts'
import type { Scheduler } from '../queue/scheduler.ts'
import { recover } from './recovery.ts'

/** Milliseconds between two looks. */
const INTERVAL = 5000

/**
 * Takes up conversions that are recorded and that the scheduler does not have, until the signal aborts: those whose
 * record was written while the answer to that was lost. One look can fall between the record and its place in the
 * queue, so a conversion is lost when two looks one after the other say so.
 */
export async function takeUpLost(
  ground: Parameters<typeof recover>[0] & { database: Database; scheduler: Scheduler },
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  let missed = new Set<string>()

  async function look(): Promise<void> {
    const pending = await ground.database<ConversionRow>('conversions').whereIn('status', PENDING).select('id')
    const missing = new Set(pending.map(({ id }) => id).filter((id) => !ground.scheduler.has(id)))
    const lost = missing.intersection(missed)
    missed = missing.difference(lost)
    if (lost.size) log.warn({ conversions: await recover(ground, lost) }, 'lost conversions taken up')
  }

  while (!signal.aborted) {
    await delay(INTERVAL, undefined, { signal, ref: false }).catch(() => {})
    if (!signal.aborted) await look().catch((err) => log.error({ err }, 'lost conversions not looked for'))
  }
}
