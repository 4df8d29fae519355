import type { ConversionRow, Status } from '../database/tables/conversions.ts'
import { ConversionFailure } from '../errors.ts'
import type { Scheduler } from '../queue/scheduler.ts'
import type { End } from './end.ts'

/**
 * Cancels a conversion if its status is one of these. If it runs, its signal aborts, wherever that is. Resolves to whether this
 * call has cancelled it. @param message Says why, to its owner.
 */
export type Cancel = (row: ConversionRow, statuses: readonly Status[], message: string) => Promise<boolean>

export function createCancel({ end, scheduler }: { end: End; scheduler: Pick<Scheduler, 'cancel'> }): Cancel {
  return async function cancel(row, statuses, message) {
    const failed = { status: 'failed', error_code: 'CANCELLED', error_message: message } as const
    if (!(await end(row, { statuses }, failed))) return false
    scheduler.cancel(row.id, new ConversionFailure('CANCELLED', message))
    return true
  }
}
