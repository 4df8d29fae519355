import { countAccepted } from '../database/tables/batches.ts'
import { admitConversion } from '../database/tables/conversion-admission.ts'
import type { NewConversion } from '../database/tables/conversions.ts'
import type { NoteMade } from '../people/idempotency.ts'
import { isNetwork, type Payer } from '../people/owner.ts'
import type { KernelParts } from './kernel-parts.ts'
import { ownQueueFull, queueFull } from './queue/refusals.ts'

/**
 * Charges and records a conversion in one transaction, if the quota, the owner's limit of pending conversions and the
 * capacity of the queue allow it. The database decides, so services that share it cannot exceed a limit together.
 *
 * @param claimed Size of the source according to the client, in bytes. @param made Called in the transaction.
 * @throws ServiceError QUOTA_EXCEEDED, QUEUE_FULL_USER, QUEUE_FULL_GLOBAL, in this order.
 */
export type Accept = (payer: Payer, row: NewConversion, claimed: number, made?: NoteMade) => Promise<void>

export function createAccept({ config, quotas }: KernelParts): Accept {
  return (payer, row, claimed, made) => {
    const { pendingJobs } = config.plans[payer.plan]
    const { capacity } = config.queue
    // The charge locks the payer's row of the quota, so two conversions in one lane are never counted at the same time.
    return quotas.charge(payer, { bytes: row.source_size, claimed, at: row.created_at }, async (transaction) => {
      const exceeded = await admitConversion(transaction, row, { pendingJobs, capacity })
      if (exceeded?.limit === 'pendingJobs') throw ownQueueFull(exceeded.max, isNetwork(row.lane))
      if (exceeded) throw queueFull()
      if (row.batch) await countAccepted(transaction, row.batch)
      await made?.(transaction, row.id)
    })
  }
}
