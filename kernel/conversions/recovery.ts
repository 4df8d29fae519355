import type { Config } from '../../config/config.ts'
import type { Database } from '../database/database.ts'
import { requeue } from '../database/tables/conversion-claims.ts'
import { listInStatus } from '../database/tables/conversions.ts'
import type { Scheduler } from '../queue/scheduler.ts'
import type { Storage } from '../storage/storage.ts'
import type { End } from './end.ts'
import { claimKeys } from './output-keys.ts'
import { scheduled } from './start.ts'

/**
 * Maximum starts of a conversion. If the service crashed twice while it ran, a third crash would end all other
 * conversions again. An orderly hand-back does not count.
 */
const ATTEMPTS = 2

/**
 * Queues conversions that an earlier process of the service left queued or processing. Resolves to the number of
 * conversions that it queued.
 *
 * @param lost Recovers only these ids; undefined: all.
 */
export async function recover(
  {
    config,
    database,
    storage,
    scheduler,
    end,
  }: {
    config: Config
    database: Database
    storage: Pick<Storage, 'remove'>
    scheduler: Scheduler
    end: End
  },
  lost?: ReadonlySet<string>,
): Promise<number> {
  for (const row of await listInStatus(database, 'processing', lost)) {
    const error_message =
      'The conversion was started twice, and the service stopped each time; convert another file, or try later'
    const failed = { status: 'failed', error_code: 'INTERNAL_SERVER_ERROR', error_message } as const
    const { attempts, fence } = row
    const isOver =
      attempts < ATTEMPTS ? await requeue(database, row) : await end(row, { statuses: ['processing'], fence }, failed)
    // The old claim can no longer be recorded. It may have stored its result before it was interrupted.
    // If the storage does not answer, the result goes with the record.
    if (isOver) for (const key of claimKeys(row)) await storage.remove(key).catch(() => {})
  }
  const queued = await listInStatus(database, 'queued', lost)
  for (const row of queued) await scheduler.enqueue(scheduled(row, config))
  return queued.length
}
