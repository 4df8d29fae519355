import type { Locker } from '@tus/utils'
import type { Database } from '../../../../database/database.ts'
import { findResumable } from '../../../../database/tables/resumable-uploads.ts'
import { createLocks } from '../locks.ts'
import { type Lease, takeLease } from './leases.ts'

/** The lease of a request, and the work that must end before it is released. */
export interface Held extends Lease {
  work?: Promise<unknown>
}

/**
 * Lets one request of all nodes at a time work on an upload: first one of this process, which then takes the lease. A
 * complete upload needs none, because only `finish` can change it.
 */
export function createSharedLocks(database: Database): Locker & { heldOf(id: string): Held | undefined } {
  const own = createLocks()
  const held = new Map<string, Held>()
  return {
    heldOf: (id) => held.get(id),
    newLock(id) {
      const first = own.newLock(id)
      let lease: Held | undefined
      return {
        async lock(signal, release) {
          await first.lock(signal, release)
          try {
            const row = await findResumable(database, id)
            if (!row || row.outcome || row.received === row.size) return
            lease = await takeLease(database, id, () => void release(), signal)
            held.set(id, lease)
          } catch (error) {
            await first.unlock()
            throw error
          }
        },
        async unlock() {
          held.delete(id)
          await lease?.work?.catch(() => {})
          await lease?.[Symbol.asyncDispose]()
          await first.unlock()
        },
      }
    },
  }
}
