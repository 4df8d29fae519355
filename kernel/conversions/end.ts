import type { Config } from '../../config/config.ts'
import { expiryOf } from '../accounts/expiry.ts'
import type { Quotas } from '../accounts/quotas.ts'
import type { StoredBytes } from '../accounts/stored-bytes.ts'
import { countEnded } from '../database/tables/batches.ts'
import { type Ending, type EndsFrom, endConversion } from '../database/tables/conversion-claims.ts'
import type { ConversionRow } from '../database/tables/conversions.ts'
import type { Transact, Work } from '../database/transact.ts'
import { announceEnd, type ConversionEvents } from '../events/events.ts'

/**
 * Ends a conversion that may end so: its record, the quota that a failed one gives back, the bytes that a result takes
 * and the counts of its batch change together. Then tells everybody who waits. Resolves to whether this call ended it.
 *
 * @throws ServiceError QUOTA_EXCEEDED when the result does not fit.
 */
export type End = (row: ConversionRow, from: EndsFrom, ending: Ending) => Promise<boolean>

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
  return async function end(row, from, ending) {
    const expiry = expiryOf(row, config)
    function* work(take: () => Work): Work<boolean> {
      if (!(yield endConversion(row.id, from, ending, expiry))) return false
      if (ending.status === 'failed') yield* quotas.giveBack(row)
      else yield* take()
      if (row.batch) yield countEnded(row.batch, ending.status, expiry)
      return true
    }
    const { id, plan, charged_to } = row
    const ended =
      ending.status === 'completed' && charged_to
        ? await storedBytes.charge({ id, plan, chargeTo: charged_to.split(' ') }, ending.output_size, 'result', work)
        : await transact(() => work(nothing))
    if (ended) announceEnd(events, { row, ending })
    return ended
  }
}

function* nothing(): Work {}
