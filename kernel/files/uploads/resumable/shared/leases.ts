import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../../database/database.ts'
import { readLock, releaseLock, renewLock, takeLock, wantLock } from '../../../../database/tables/resumable-uploads.ts'
import { WAIT } from '../locks.ts'
import { busy, noSuchUpload, offsetMismatch } from '../refusals.ts'

/** Milliseconds between two looks at the own lock, and between two looks at a lock that another request holds. */
const INTERVAL = { own: 1000, other: 250 }

/** A lock is renewed at each third look: renewals are commits. */
const RENEWED = 3

/** The right to change an upload, which one request of all nodes has. */
export interface Lease extends AsyncDisposable {
  /** Rises with each lease of the upload. Under an older number, nothing can be written. */
  fence: number
  /** Aborts when another request has taken the upload over: this node was stopped, or could not reach the database. */
  lost: AbortSignal
}

/**
 * Takes the lease of an upload. A newer request asks the older one to stop. If the older one's node is gone, its lease
 * ends by itself, by the clock of the database.
 *
 * @param asked Called once, when another request waits for the lease.
 * @throws ServiceError NOT_READY if the older request does not stop within 15 s; NOT_FOUND.
 */
export async function takeLease(
  database: Database,
  id: string,
  asked: () => void,
  signal?: AbortSignal,
): Promise<Lease> {
  const late = AbortSignal.any([AbortSignal.timeout(WAIT), ...(signal ? [signal] : [])])
  for (;;) {
    const lock = await readLock(database, id)
    if (!lock) throw noSuchUpload()
    const { fence, rest } = lock
    if (rest <= 0 && (await takeLock(database, id, fence))) return hold(database, id, fence + 1, asked)
    if (late.aborted) throw busy()
    if (rest > 0 && !lock.wanted) await wantLock(database, id, fence)
    await delay(INTERVAL.other, undefined, { signal: late }).catch(() => {})
  }
}

/** Renews a lease until it is disposed of. */
function hold(database: Database, id: string, fence: number, asked: () => void): Lease {
  const lost = new AbortController()
  const ended = new AbortController()
  let told = false

  async function look(renews: boolean): Promise<void> {
    const lock = await readLock(database, id)
    if (lock?.fence !== fence || (renews && !(await renewLock(database, id, fence)))) {
      lost.abort(offsetMismatch())
      ended.abort()
    } else if (lock.wanted && !told) {
      told = true
      asked()
    }
  }

  async function lookForever(): Promise<void> {
    for (let looks = 1; !ended.signal.aborted; looks++) {
      await delay(INTERVAL.own, undefined, { signal: ended.signal, ref: false }).catch(() => {})
      // While the database does not answer, the fence protects the upload.
      if (!ended.signal.aborted) await look(looks % RENEWED === 0).catch(() => {})
    }
  }

  const looking = lookForever()
  return {
    fence,
    lost: lost.signal,
    async [Symbol.asyncDispose]() {
      ended.abort()
      // A renewal after the release would lock the upload again, for nobody.
      await looking
      // Otherwise it ends by itself.
      await releaseLock(database, id, fence).catch(() => {})
    },
  }
}
