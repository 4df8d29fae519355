import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { logFailure } from '../database/absence.ts'
import type { Database } from '../database/database.ts'
import { requeue } from '../database/tables/conversion-claims.ts'
import { type ConversionRow, listInStatus, listPendingIds } from '../database/tables/conversions.ts'
import { ConversionFailure } from '../errors.ts'
import type { Storage } from '../files/storage/storage.ts'
import type { End } from './end.ts'
import { claimKeys } from './output-keys.ts'
import { scheduled } from './queue/job.ts'
import type { Scheduler } from './queue/scheduler.ts'

/**
 * Maximum starts of a conversion. If the service crashed twice while it ran, a third crash would end all other
 * conversions again. An orderly hand-back does not count.
 */
const ATTEMPTS = 2

/** Results in a row that could not be removed, after which the others are left: the storage is away. */
const MAX_FAILURES = 3

/** What recovery needs. */
export interface RecoveryParts {
  config: Config
  database: Database
  storage: Pick<Storage, 'remove'>
  scheduler: Scheduler
  end: End
}

/**
 * Puts conversions whose process is gone back into the queue, or ends them if they were started too often. Checks the
 * fence, so a conversion that was claimed again meanwhile stays as it is. Results that the process may have stored are
 * removed in the background.
 *
 * @param signal Ends the removal.
 */
export async function requeueInterrupted(
  { database, storage, end }: Omit<RecoveryParts, 'scheduler' | 'config'>,
  rows: readonly ConversionRow[],
  signal: AbortSignal,
): Promise<void> {
  const results: string[] = []
  for (const row of rows) {
    const error_message = 'The conversion was interrupted twice; convert another file, or try later'
    const failed = { status: 'failed', error_code: 'INTERNAL_SERVER_ERROR', error_message } as const
    const { attempts, fence } = row
    const isOver =
      attempts < ATTEMPTS ? await requeue(database, row) : await end(row, { statuses: ['processing'], fence }, failed)
    // The old claim can no longer be recorded. It may have stored its result before it was interrupted.
    if (isOver) results.push(...claimKeys(row))
  }
  // Not awaited: the storage may hang, and other conversions wait.
  void removeAll(storage, results, signal)
}

/** Removes results. Those that cannot be removed now go with the record. */
async function removeAll(
  storage: Pick<Storage, 'remove'>,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  let failed = 0
  for (const key of keys) {
    if (signal.aborted || failed === MAX_FAILURES) return
    failed = await storage.remove(key).then(
      () => 0,
      () => failed + 1,
    )
  }
}

/**
 * Queues conversions that an earlier process of the service left queued or processing. Resolves to the number of
 * conversions that it queued.
 *
 * @param signal As in `requeueInterrupted`. @param lost Recovers only these ids; undefined: all.
 */
export async function recover(parts: RecoveryParts, signal: AbortSignal, lost?: ReadonlySet<string>): Promise<number> {
  const { config, database, scheduler } = parts
  await requeueInterrupted(parts, await listInStatus(database, 'processing', lost), signal)
  const queued = await listInStatus(database, 'queued', lost)
  for (const row of queued) await scheduler.enqueue(scheduled(row, config))
  return queued.length
}

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

  async function poll(): Promise<void> {
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
    if (!signal.aborted) await poll().catch(complain)
  }
}
