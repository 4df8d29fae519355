import type { Database } from '../database/database.ts'
import { lockBatch } from '../database/tables/batches.ts'
import type { Ending } from '../database/tables/conversion-claims.ts'
import type { ConversionRow } from '../database/tables/conversions.ts'
import { recordEvent } from '../database/tables/webhook-deliveries.ts'
import { type TraceContext, traceOf } from '../tracing/trace-context.ts'
import { conversionRecord, toConversion } from './records.ts'

/** Records the end of a conversion for the webhooks of its owner, in the transaction that ends it. */
export async function recordConversionEnd(transaction: Database, row: ConversionRow, ending: Ending): Promise<void> {
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
  const { owner, total, completed, failed, created_at } = batch
  const createdAt = new Date(Number(created_at)).toISOString()
  const data = { id, status: 'completed', total, completed, failed, progress: 100, createdAt }
  await recordEvent(transaction, { owner, type: 'batch.completed', subject: id, data, trace })
}
