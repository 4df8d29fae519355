import type { Locker, RequestRelease } from '@tus/utils'
import type { Database } from '../../../database/database.ts'
import { findResumable } from '../../../database/tables/resumable-uploads.ts'
import { type Lease, LOCK_TIMEOUT_MS, takeLease } from './lease.ts'
import { busy } from './refusals.ts'

export interface Locks extends Locker {
  /** Returns the lease of the request that works on an upload now. */
  leaseOf(id: string): Lease | undefined
}

/**
 * Lets one request of all nodes at a time work on an upload: first one of this process, which then takes the lease. A
 * complete upload needs none, because only `finish` can change it. Its locks throw ServiceError NOT_READY if the older
 * request does not stop.
 */
export function createLocks(database: Database): Locks {
  const lockInProcess = createProcessLocks()
  const leases = new Map<string, Lease>()
  return {
    leaseOf: (id) => leases.get(id),
    newLock(id) {
      let unlock = () => {}
      let lease: Lease | undefined
      return {
        async lock(signal, release) {
          unlock = await lockInProcess(id, signal, release)
          try {
            const row = await findResumable(database, id)
            if (!row || row.outcome || row.received === row.size) return
            lease = await takeLease(database, id, () => void release(), signal)
            leases.set(id, lease)
          } catch (error) {
            unlock()
            throw error
          }
        },
        async unlock() {
          leases.delete(id)
          await lease?.work?.catch(() => {})
          await lease?.[Symbol.asyncDispose]()
          unlock()
        },
      }
    },
  }
}

/**
 * Lets one request of this process at a time work on an upload. A newer request asks the older one to stop at once: its
 * connection may be dead without the service knowing it.
 */
function createProcessLocks() {
  const held = new Map<string, { release: RequestRelease; waiting: (() => void)[] }>()

  /** Resolves to what unlocks it. */
  return async function lock(id: string, signal: AbortSignal, release: RequestRelease): Promise<() => void> {
    const late = AbortSignal.any([signal, AbortSignal.timeout(LOCK_TIMEOUT_MS)])
    for (let holder = held.get(id); holder; holder = held.get(id)) {
      if (late.aborted) throw busy()
      // The holder may unlock while it is asked to.
      const free = Promise.withResolvers<void>()
      holder.waiting.push(free.resolve)
      late.addEventListener('abort', () => free.resolve(), { once: true })
      await holder.release()
      await free.promise
    }
    const own = { release, waiting: [] as (() => void)[] }
    held.set(id, own)
    return () => {
      held.delete(id)
      for (const wake of own.waiting) wake()
    }
  }
}
