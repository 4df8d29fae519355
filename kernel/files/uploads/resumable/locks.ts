import type { Locker, RequestRelease } from '@tus/utils'
import { busy } from './refusals.ts'

/** Milliseconds that a request waits for another one that works on the same upload. */
export const WAIT = 15_000

/**
 * Lets one request of this process at a time work on an upload. A newer request asks the older one to stop: its
 * connection may be dead without the service knowing it. Its locks throw ServiceError NOT_READY if the older request
 * does not stop.
 */
export function createLocks(): Locker {
  const held = new Map<string, { release: RequestRelease; waiting: (() => void)[] }>()

  async function lock(id: string, signal: AbortSignal, release: RequestRelease): Promise<void> {
    const late = AbortSignal.any([signal, AbortSignal.timeout(WAIT)])
    for (let holder = held.get(id); holder; holder = held.get(id)) {
      if (late.aborted) throw busy()
      await holder.release()
      await new Promise<void>((resolve) => {
        holder!.waiting.push(resolve)
        late.addEventListener('abort', () => resolve(), { once: true })
      })
    }
    held.set(id, { release, waiting: [] })
  }

  return {
    newLock: (id) => ({
      lock: (signal, release) => lock(id, signal, release),
      async unlock() {
        const holder = held.get(id)
        held.delete(id)
        for (const wake of holder?.waiting ?? []) wake()
      },
    }),
  }
}
