import type { Config } from '../../config/config.ts'
import { expiryOf } from '../accounts/expiry.ts'
import type { Quotas } from '../accounts/quotas.ts'
import type { StoredBytes } from '../accounts/stored-bytes.ts'
import { countEnded } from '../database/tables/batches.ts'
import { lookForWaiting } from '../database/tables/conversion-admission.ts'
import { type Ending, type EndsFrom, endConversion } from '../database/tables/conversion-claims.ts'
import type { ConversionRow } from '../database/tables/conversions.ts'
import type { Transact, Work } from '../database/work.ts'
import type { Changes } from '../events/changes.ts'
import { announceEnd, type ConversionEvents } from '../events/events.ts'
import type { RunAccount } from '../sandbox/account.ts'
import { trailOf } from './trails.ts'

/**
 * Ends a conversion if its present state matches `from`. One transaction updates the record, refunds the quota of a
 * failure unless that is charged, charges the bytes of a result and updates the batch counts. Then notifies all waiting clients. Resolves to
 * undefined if this call did not end the conversion.
 *
 * @param runs All runs of engines, if they are known now. They are stored with the record.
 * @throws ServiceError QUOTA_EXCEEDED if the result does not fit.
 */
export type End = (
  row: ConversionRow,
  from: EndsFrom,
  ending: Ending,
  runs?: readonly RunAccount[],
) => Promise<Ended | undefined>

/** A conversion that has ended. */
export interface Ended {
  /** Whether no other one of its lane waits. False also if nobody looked, as in a service without others. */
  noneWaits: boolean
}

export function createEnd({
  config,
  transact,
  quotas,
  storedBytes,
  events,
  changes,
}: {
  config: Config
  transact: Transact
  quotas: Quotas
  storedBytes: StoredBytes
  events: ConversionEvents
  changes: Changes
}): End {
  const isShared = config.redisUrl !== undefined
  return async function end(row, from, ending, runs = []) {
    const expiry = expiryOf(row, config)
    function* work(take: () => Work): Work<Ended | undefined> {
      if (!(yield endConversion(row.id, from, ending, expiry))) return undefined
      if (ending.status === 'completed') yield* take()
      else if (!ending.charged) yield* quotas.giveBack(row)
      if (runs.length) yield trailOf(row.id, runs)
      if (row.batch) yield countEnded(row.batch, ending.status, expiry)
      return { noneWaits: isShared && row.lane !== null && !(yield lookForWaiting(row.lane)) }
    }
    const { id, plan, charged_to } = row
    const ended =
      ending.status === 'completed' && charged_to
        ? await storedBytes.charge({ id, plan, chargeTo: charged_to.split(' ') }, ending.output_size, 'result', work)
        : await transact(() => work(nothing))
    if (!ended) return undefined
    announceEnd(events, { row, ending, traced: runs.length > 0 })
    changes.publish({ conversion: id, owner: row.owner, batch: row.batch })
    return ended
  }
}

function* nothing(): Work {}
