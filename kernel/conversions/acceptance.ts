import type { Config } from '../../config/config.ts'
import type { Payer } from '../accounts/owner.ts'
import type { Quotas } from '../accounts/quotas.ts'
import type { Database } from '../database/database.ts'
import { countAccepted } from '../database/tables/batches.ts'
import { admitConversion, countPendingInLane, lookForSecond } from '../database/tables/conversion-admission.ts'
import type { NewConversion } from '../database/tables/conversions.ts'
import { ownQueueFull, queueFull } from '../queue/refusals.ts'

/**
 * Charges and records a conversion in one transaction, if the quota, the owner's limit of pending conversions and the
 * capacity of the queue allow it. The database decides, so services that share it cannot exceed a limit together.
 *
 * Resolves to whether it is now the only pending one of its lane. A service without others does not look.
 *
 * @param claimed Size of the source according to the client, in bytes.
 * @throws ServiceError QUOTA_EXCEEDED, QUEUE_FULL_USER, QUEUE_FULL_GLOBAL, in this order.
 */
export type Accept = (payer: Payer, row: NewConversion, claimed: number) => Promise<boolean>

/** Thrown inside the transaction to roll it back: the owner's places or those of the queue are taken. */
class Full extends Error {}

export function createAccept({
  config,
  database,
  quotas,
}: {
  config: Pick<Config, 'plans' | 'queue' | 'redisUrl'>
  database: Database
  quotas: Quotas
}): Accept {
  return async function accept(payer, row, claimed) {
    const { pendingJobs } = config.plans[payer.plan]
    const limits = { pendingJobs, capacity: config.queue.capacity }
    try {
      // The charge locks the payer's row of the quota, so two conversions in one lane are never counted at the same time.
      return await quotas.charge(payer, { bytes: row.source_size, claimed, at: row.created_at }, function* () {
        if (!(yield admitConversion(row, limits))) throw new Full()
        if (row.batch) yield countAccepted(row.batch)
        return config.redisUrl !== undefined && (yield lookForSecond(row.lane)) === 1
      })
    } catch (error) {
      if (!(error instanceof Full)) throw error
      const isOwn = pendingJobs !== null && (await countPendingInLane(database, row.lane)) >= pendingJobs
      throw isOwn ? ownQueueFull(pendingJobs) : queueFull()
    }
  }
}
