import type { Database } from '../database/database.ts'
import { type ConversionRow, findConversion, type Status } from '../database/tables/conversions.ts'
import { ConversionFailure } from '../errors.ts'
import type { End } from './end.ts'
import type { Scheduler } from './queue/scheduler.ts'

/**
 * Cancels a conversion if its status is one of these. If it runs, its signal aborts, wherever that is, and it is
 * charged: otherwise clients could use the engines for nothing. Resolves to whether this call has cancelled it.
 *
 * @param message Says why, to its owner.
 */
export type Cancel = (row: ConversionRow, statuses: readonly Status[], message: string) => Promise<boolean>

export function createCancel(database: Database, end: End, scheduler: Pick<Scheduler, 'cancel'>): Cancel {
  return async function cancel(row, statuses, message) {
    const failed = { status: 'failed', error_code: 'CANCELLED', error_message: message } as const
    // The status decides about the charge. If it has changed since it was read, the record is read again.
    for (let now: ConversionRow | undefined = row; now && statuses.includes(now.status); ) {
      const { status } = now
      if (await end(now, { statuses: [status] }, { ...failed, charged: status === 'processing' })) {
        scheduler.cancel(row.id, new ConversionFailure('CANCELLED', message))
        return true
      }
      now = await findConversion(database, row.id)
    }
    return false
  }
}
