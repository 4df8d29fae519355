import type { Config } from '../../config/config.ts'
import type { Database } from '../database/database.ts'
import { requeue } from '../database/tables/conversion-claims.ts'
import { type ConversionRow, listInStatus } from '../database/tables/conversions.ts'
import type { Storage } from '../files/storage/storage.ts'
import type { End } from './end.ts'
import { claimKeys } from './output-keys.ts'
import type { Scheduler } from './queue/scheduler.ts'
import { scheduled } from './scheduled.ts'

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
