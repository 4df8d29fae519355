import type { Ending } from '../database/tables/conversion-claims.ts'
import type { ConversionRow } from '../database/tables/conversions.ts'
import type { RunAccount } from '../sandbox/process/account.ts'
import { traceOf } from '../tracing/trace-context.ts'
import type { Tracing } from '../tracing/tracing.ts'

/** Begins the spans of an attempt, when the conversion has been claimed: its wait in the queue has ended. */
export function beginAttempt(tracing: Tracing, row: ConversionRow) {
  const parent = traceOf(row)
  tracing.begin('queue', { parent, since: Number(row.created_at) }).end()
  const span = tracing.begin('conversion', { parent })
  return {
    /** Where the work belongs. */
    context: span.context,
    /** Records the run of an engine, when it has ended. */
    ran({ engine, ms, exit, cpu, memory }: RunAccount) {
      const attributes = {
        'athanor.cpu_seconds': cpu,
        'athanor.memory_bytes': memory,
        ...(exit !== null && { 'process.exit.code': exit }),
      }
      const run = tracing.begin(`engine ${engine}`, { parent: span.context, since: Date.now() - ms })
      run.end({ attributes, error: exit ? `${exit}` : undefined })
    },
    /** @param ending Undefined: it returns to the queue. */
    end(ending: Ending | undefined) {
      const attributes = {
        'athanor.conversion': row.id,
        'athanor.pair': `${row.from_format}>${row.to_format}`,
        'athanor.attempt': row.attempts,
        'athanor.status': ending?.status ?? 'queued',
      }
      span.end({ attributes, error: ending?.status === 'failed' ? ending.error_code : undefined })
    },
  }
}
