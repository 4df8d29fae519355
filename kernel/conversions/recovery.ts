import type { Config } from '../../config/config.ts'
import type { Database } from '../database/database.ts'
import type { ConversionRow } from '../database/tables/conversions.ts'
import type { Scheduler } from '../queue/scheduler.ts'
import type { End } from './end.ts'
import { scheduled } from './start.ts'

/**
 * Times that a conversion is started before it is given up: twice the service stopped while it ran, and a third stop
 * would be everybody's. Handing it back in order does not count.
 */
const ATTEMPTS = 2

/**
 * Takes up what nobody works on: what an earlier life of the service left queued or processing, or, with `lost`, these
 * alone. Resolves to the number taken up.
 */
export async function recover(
  {
    config,
    database,
    scheduler,
    end,
  }: {
    config: Config
    database: Database
    scheduler: Scheduler
    end: End
  },
  lost?: ReadonlySet<string>,
): Promise<number> {
  const table = () => {
    const all = database<ConversionRow>('conversions')
    return lost ? all.whereIn('id', [...lost]) : all
  }
  const interrupted = await table().where({ status: 'processing' })
  for (const row of interrupted) {
    const error_message =
      'The conversion was started twice, and the service stopped each time; convert another file, or try later'
    const { id, attempts } = row
    if (attempts < ATTEMPTS) await table().where({ id, attempts, status: 'processing' }).update({ status: 'queued' })
    else await end(row, ['processing'], { status: 'failed', error_code: 'INTERNAL_SERVER_ERROR', error_message })
  }
  const queued = await table()
    .where({ status: 'queued' })
    .orderBy('id')
    .select('id', 'owner', 'heavy', 'plan', 'charged_to', 'attempts')
  for (const row of queued) await scheduler.enqueue(scheduled(row, config))
  return queued.length
}
