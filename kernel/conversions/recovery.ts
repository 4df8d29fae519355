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
 * Times that a conversion is started before it is given up. If the service stopped twice while it ran, a third stop
 * would hit everybody again. Handing it back in order does not count.
 */
const ATTEMPTS = 2

/**
 * Takes up what nobody works on: what an earlier life of the service left queued or processing. Resolves to the number
 * of conversions that it queued.
 *
 * @param lost Only these ids; undefined: all.
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
    // The claim cannot be recorded any more. It may have been cut off after it had stored its result.
    if (isOver) for (const key of claimKeys(row)) await storage.remove(key)
  }
  const queued = await listInStatus(database, 'queued', lost)
  for (const row of queued) await scheduler.enqueue(scheduled(row, config))
  return queued.length
}
