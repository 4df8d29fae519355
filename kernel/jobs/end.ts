import type { Database } from '../database/database.ts'
import { countEnded, lockBatch } from '../database/tables/batches.ts'
import { type Ending, type EndsFrom, endConversion, hasRunFor } from '../database/tables/conversion-claims.ts'
import type { ConversionRow } from '../database/tables/conversions.ts'
import { findConversion, type Status } from '../database/tables/conversions.ts'
import { recordEvent } from '../database/tables/webhook-deliveries.ts'
import { transact } from '../database/transact.ts'
import { ConversionFailure } from '../errors.ts'
import { expiryOf, readSubjects } from '../people/owner.ts'
import { type TraceContext, traceOf } from '../tracing/trace-context.ts'
import type { JobNeeds } from './needs.ts'
import type { Scheduler } from './queue/scheduler.ts'
import { batchRecord, conversionRecord, toBatchState, toConversion } from './records.ts'
import { recordWork, type Work } from './work.ts'

/**
 * Ends a conversion if its present state matches `from`. One transaction updates the record, refunds the quota of a
 * failure unless that is charged, charges the bytes of a result and updates the batch counts. Then notifies all waiting
 * clients. Resolves to false if this call did not end the conversion.
 *
 * @param work The work on it, if all of that is known now. It is stored with the record.
 * @throws ServiceError QUOTA_EXCEEDED if the result does not fit.
 */
export type End = (row: ConversionRow, from: EndsFrom, ending: Ending, work?: Work) => Promise<boolean>

export function createEnd(kernel: JobNeeds): End {
  const { config, database, quotas, storedBytes } = kernel
  return async function end(row, from, ending, work) {
    const expiry = expiryOf(row, config)
    async function record(transaction: Database, take?: () => Promise<void>): Promise<boolean> {
      if (!(await endConversion(transaction, row.id, from, ending, expiry))) return false
      if (ending.status === 'failed' && !ending.charged) await quotas.giveBack(transaction, row)
      await take?.()
      if (work?.runs.length) await recordWork(transaction, row.id, ending.status, work)
      await recordConversionEnd(transaction, row, ending)
      if (row.batch) {
        await countEnded(transaction, row.batch, ending.status, expiry)
        await recordBatchEnd(transaction, row.batch, traceOf(row))
      }
      return true
    }
    const { owner: id, plan, charged_to } = row
    const payer = { id, plan, chargeTo: readSubjects(charged_to) }
    const ended =
      ending.status === 'completed' && charged_to
        ? await storedBytes.charge(payer, ending.output_size, 'result', record)
        : await transact(database, record)
    if (!ended) return false
    announceEnd(kernel, row, ending)
    return true
  }
}

/** Announces that a conversion has ended. Call it after the record is committed. */
export function announceEnd({ events, changes }: JobNeeds, row: ConversionRow, ending: Ending): void {
  events.emit('ended', { row, ending })
  changes.publish({ conversion: row.id, owner: row.owner, batch: row.batch })
}

/** Milliseconds that a cancelled conversion may have run for nothing. While a queue is cancelled, the next begins. */
const FREE_RUN = 1000

/**
 * Cancels a conversion if its status is one of these. If it runs, its signal aborts, wherever that is, and it is
 * charged after `FREE_RUN`: otherwise clients could use the engines for nothing. Resolves to whether this call has
 * cancelled it.
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
      const charged = status === 'processing' && (await hasRunFor(database, now, FREE_RUN))
      if (await end(now, { statuses: [status] }, { ...failed, charged })) {
        scheduler.cancel(row.id, new ConversionFailure('CANCELLED', message))
        return true
      }
      now = await findConversion(database, row.id)
    }
    return false
  }
}

/** Records the end of a conversion for the webhooks of its owner, in the transaction that ends it. */
async function recordConversionEnd(transaction: Database, row: ConversionRow, ending: Ending): Promise<void> {
  const { id: subject, owner, progress } = row
  const isDone = ending.status === 'completed'
  const ended = { ...row, ...ending, progress: isDone ? 100 : progress }
  const data = conversionRecord({ conversion: toConversion(ended) })
  const type = `conversion.${ending.status}`
  await recordEvent(transaction, { owner, type, subject, data, trace: traceOf(row) })
}

/**
 * Records the end of a batch, if all its conversions have ended, in the transaction that counts the last one.
 *
 * @param trace That of its conversions.
 */
export async function recordBatchEnd(
  transaction: Database,
  id: string,
  trace: TraceContext | undefined,
): Promise<void> {
  const batch = await lockBatch(transaction, id)
  if (!batch || batch.starting || batch.completed + batch.failed < batch.total) return
  const data = batchRecord(toBatchState(batch, { pending: 0, queued: 0, progress: 0 }))
  await recordEvent(transaction, { owner: batch.owner, type: 'batch.completed', subject: id, data, trace })
}
