import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../database/database.ts'
import { readLock, releaseLock, renewLock, takeLock, wantLock } from '../../../database/tables/resumable-uploads.ts'
import { busy, noSuchUpload, offsetMismatch } from './refusals.ts'

/** Milliseconds that a request waits for another one that works on the same upload. */
export const LOCK_TIMEOUT_MS = 15_000

/** Milliseconds after which a request reads the lock again that it holds. */
const OWN_INTERVAL_MS = 1000

/** Milliseconds after which a request reads the lock again that another one holds. */
const OTHER_INTERVAL_MS = 250

/** A lock is renewed whenever it was read so many times: renewals are commits. */
const READS_PER_RENEWAL = 3

/** The right to change an upload, which one request of all nodes has. */
export interface Lease extends AsyncDisposable {
  /** Rises with each lease of the upload. Under an older number, nothing can be written. */
  fence: number
  /** Aborts when another request has taken the upload over: this node was stopped, or could not reach the database. */
  lost: AbortSignal
  /** What must end before the lease is released. */
  work?: Promise<unknown>
}

/**
 * Takes the lease of an upload. A newer request asks the older one to stop. If the older one's node is gone, its lease
 * ends by itself, by the clock of the database.
 *
 * @param onWanted Called once, when another request waits for the lease.
 * @throws ServiceError NOT_READY if the older request does not stop within 15 s; NOT_FOUND.
 */
export async function takeLease(
  database: Database,
  id: string,
  onWanted: () => void,
  signal?: AbortSignal,
): Promise<Lease> {
  const late = AbortSignal.any([AbortSignal.timeout(LOCK_TIMEOUT_MS), ...(signal ? [signal] : [])])
  for (;;) {
    const lock = await readLock(database, id)
    if (!lock) throw noSuchUpload()
    const { fence, rest } = lock
    if (rest <= 0 && (await takeLock(database, id, fence))) return hold(database, id, fence + 1, onWanted)
    if (late.aborted) throw busy()
    if (rest > 0 && !lock.wanted) await wantLock(database, id, fence)
    await delay(OTHER_INTERVAL_MS, undefined, { signal: late }).catch(() => {})
  }
}

/** Renews a lease until it is disposed of. */
function hold(database: Database, id: string, fence: number, onWanted: () => void): Lease {
  const lost = new AbortController()
  const ended = new AbortController()
  let isWanted = false

  async function check(renews: boolean): Promise<void> {
    const lock = await readLock(database, id)
    if (lock?.fence !== fence || (renews && !(await renewLock(database, id, fence)))) {
      lost.abort(offsetMismatch())
      ended.abort()
    } else if (lock.wanted && !isWanted) {
      isWanted = true
      onWanted()
    }
  }

  async function checkForever(): Promise<void> {
    for (let reads = 1; !ended.signal.aborted; reads++) {
      await delay(OWN_INTERVAL_MS, undefined, { signal: ended.signal, ref: false }).catch(() => {})
      // While the database does not answer, the fence protects the upload.
      if (!ended.signal.aborted) await check(reads % READS_PER_RENEWAL === 0).catch(() => {})
    }
  }

  const checking = checkForever()
  return {
    fence,
    lost: lost.signal,
    async [Symbol.asyncDispose]() {
      ended.abort()
      // A renewal after the release would lock the upload again, for nobody.
      await checking
      // Otherwise it ends by itself.
      await releaseLock(database, id, fence).catch(() => {})
    },
  }
}
