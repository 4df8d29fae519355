import type { Config } from '../../config/config.ts'
import { expiryOf } from '../accounts/expiry.ts'
import type { Quotas } from '../accounts/quotas.ts'
import type { StoredBytes } from '../accounts/stored-bytes.ts'
import type { ConversionRow, Ending, Status } from '../database/tables/conversions.ts'
import type { Transact, Work } from '../database/transact.ts'
import { announceEnd, type ConversionEvents } from '../events/events.ts'

/**
 * Ends a conversion that is in one of these statuses (and in the given attempt): its record, the quota that a failed one
 * gives back, the bytes that a result takes and its batch change together. Tells who waits. Resolves to whether it was
 * this call that ended it. @throws ServiceError QUOTA_EXCEEDED when the result does not fit.
 */
export type End = (row: ConversionRow, from: readonly Status[], ending: Ending, attempts?: number) => Promise<boolean>

export function createEnd({
  config,
  transact,
  quotas,
  storedBytes,
  events,
}: {
  config: Config
  transact: Transact
  quotas: Quotas
  storedBytes: StoredBytes
  events: ConversionEvents
}): End {
  return async function end(row, from, ending, attempts) {
    const expiry = expiryOf(row, config)
    const changed = { ...ending, expires_at: expiry }
    const where = `id = ? and status in (${from.map(() => '?').join(', ')})${attempts === undefined ? '' : ' and attempts = ?'}`
    function* work(take: () => Work): Work<boolean> {
      const matched = yield {
        sql: `update conversions set ${Object.keys(changed).join(' = ?, ')} = ? where ${where}`,
        values: [...Object.values(changed), row.id, ...from, ...(attempts === undefined ? [] : [attempts])],
      }
      if (!matched) return false
      if (ending.status === 'failed') yield* quotas.giveBack(row)
      else yield* take()
      if (row.batch) {
        const { status } = ending
        const sql = `update batches set ${status} = ${status} + 1, expires_at = ? where id = ?`
        yield { sql, values: [expiry, row.batch] }
      }
      return true
    }
    const { id, plan, charged_to } = row
    const ended =
      ending.status === 'completed' && charged_to
        ? await storedBytes.charge({ id, plan, chargeTo: charged_to.split(' ') }, ending.output_size!, 'result', work)
        : await transact(() => work(nothing))
    if (ended) announceEnd(events, { row, ending })
    return ended
  }
}

function* nothing(): Work {}
