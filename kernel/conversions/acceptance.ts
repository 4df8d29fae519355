import type { Config } from '../../config/config.ts'
import { isNetwork, type Payer } from '../accounts/owner.ts'
import type { Quotas } from '../accounts/quotas.ts'
import type { Certainly } from '../database/certain.ts'
import type { Database } from '../database/database.ts'
import { countAccepted } from '../database/tables/batches.ts'
import {
  ADMITTED_AT_ONCE,
  admitConversion,
  findFullLane,
  lockAdmission,
  lookForSecond,
} from '../database/tables/conversion-admission.ts'
import { type NewConversion, PENDING, readConversion } from '../database/tables/conversions.ts'
import { ownQueueFull, queueFull } from '../queue/refusals.ts'
import type { Cancel } from './cancel.ts'

const UNCONFIRMED = 'The conversion was cancelled, because its start could not be confirmed'

/**
 * Charges and records a conversion in one transaction, if the quota, the owner's limit of pending conversions and the
 * capacity of the queue allow it. The database decides, so services that share it cannot exceed a limit together.
 *
 * Resolves to whether it is now the only pending one of its lane. A service without others does not look, and one that had
 * lost the answer of the database does not know: false.
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
  certainly,
  cancel,
}: {
  config: Pick<Config, 'plans' | 'queue' | 'redisUrl'>
  database: Database
  quotas: Quotas
  certainly: Certainly
  cancel: Cancel
}): Accept {
  /** Charges and records it. @throws Full. */
  function admit(payer: Payer, row: NewConversion, claimed: number, pendingJobs: number | null): Promise<boolean> {
    const { capacity } = config.queue
    // The charge locks the payer's row of the quota, so two conversions in one lane are never counted at the same time.
    return quotas.charge(payer, { bytes: row.source_size, claimed, at: row.created_at }, function* () {
      // Only close to the capacity, one waits for another.
      const isFarFromFull = yield admitConversion(row, { pendingJobs, capacity: capacity - ADMITTED_AT_ONCE })
      if (!isFarFromFull) {
        const limits = { pendingJobs, capacity }
        if (!(yield lockAdmission(row.lane, limits)) || !(yield admitConversion(row, limits))) throw new Full()
      }
      if (row.batch) yield countAccepted(row.batch)
      return config.redisUrl !== undefined && (yield lookForSecond(row.lane)) === 1
    })
  }

  return async function accept(payer, row, claimed) {
    const { pendingJobs } = config.plans[payer.plan]
    const find = () => readConversion(database, row.id)
    const trace = {
      isThere: async () => (await find()) !== undefined,
      async withdraw() {
        const found = await find()
        if (found) await cancel(found, PENDING, UNCONFIRMED, true)
      },
    }
    try {
      return (await certainly(() => admit(payer, row, claimed, pendingJobs), trace)) ?? false
    } catch (error) {
      if (!(error instanceof Full)) throw error
      const most = pendingJobs === null ? undefined : await findFullLane(database, row.lane, pendingJobs)
      throw most === undefined ? queueFull() : ownQueueFull(most, isNetwork(row.lane))
    }
  }
}
