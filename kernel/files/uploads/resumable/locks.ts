import type { Locker } from '@tus/utils'
import type { Database } from '../../../database/database.ts'
import { findResumable } from '../../../database/tables/resumable-uploads.ts'
import { type Lease, takeLease } from './lease.ts'

export interface Locks extends Locker {
  /** Returns the lease of the request that works on an upload now. */
  leaseOf(id: string): Lease | undefined
}

/**
 * Lets one request of all nodes at a time work on an upload. A newer request asks the older one to stop: its connection
 * may be dead without the service knowing it. A complete upload needs no lock, because only `finish` can change it.
 * Locks throw ServiceError NOT_READY if the older request does not stop.
 */
export function createLocks(database: Database): Locks {
  const leases = new Map<string, Lease>()
  return {
    leaseOf: (id) => leases.get(id),
    newLock(id) {
      let lease: Lease | undefined
      return {
        async lock(signal, release) {
          const row = await findResumable(database, id)
          if (!row || row.outcome || row.received === row.size) return
          lease = await takeLease(database, id, () => void release(), signal)
          leases.set(id, lease)
        },
        async unlock() {
          if (leases.get(id) === lease) leases.delete(id)
          await lease?.work?.catch(() => {})
          await lease?.[Symbol.asyncDispose]()
        },
      }
    },
  }
}
