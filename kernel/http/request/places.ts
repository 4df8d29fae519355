import { ServiceError } from '../../errors.ts'
import type { Context } from '../context.ts'

/** How long a download waits for a place. Small downloads end much sooner. */
const PLACE_TIMEOUT_MS = 5000

/** Limits how many downloads each client has at a time. */
export interface Places {
  /**
   * Takes a place until `gone` aborts. Waits up to 5 seconds if the client has no place left.
   *
   * @throws ServiceError RATE_LIMITED after that time; the reason of `gone` when it aborts before.
   */
  take(ctx: Context, gone: AbortSignal): Promise<void>
}

/** @param max Downloads of one client at the same time. */
export function createPlaces(max: number): Places {
  /** The places that clients hold, and the downloads that wait for one, in order. */
  const clients = new Map<string, { taken: number; waiting: Set<() => void> }>()

  /** Hands a place to the download that has waited longest, or gives it back. */
  function leave(client: string): void {
    const places = clients.get(client)
    if (!places) return
    const [next] = places.waiting
    if (next) {
      places.waiting.delete(next)
      next()
    } else if (--places.taken === 0) clients.delete(client)
  }

  return {
    async take({ state: { owner } }, gone) {
      gone.throwIfAborted()
      const { client } = owner
      let places = clients.get(client)
      if (!places) clients.set(client, (places = { taken: 0, waiting: new Set() }))
      if (places.taken < max) places.taken++
      else await handedOver(places.waiting, max, gone)
      if (gone.aborted) leave(client)
      gone.throwIfAborted()
      gone.addEventListener('abort', () => leave(client), { once: true })
    },
  }
}

/** Waits until a place is handed over. */
async function handedOver(waiting: Set<() => void>, max: number, gone: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const fail = (reason: unknown) => {
    waiting.delete(resolve)
    reject(reason)
  }
  const timer = setTimeout(() => {
    const message = `At most ${max} downloads at the same time are allowed; try again when one of them has ended`
    fail(new ServiceError('RATE_LIMITED', message, { retryAfter: PLACE_TIMEOUT_MS / 1000 }))
  }, PLACE_TIMEOUT_MS)
  const leave = () => fail(gone.reason)
  waiting.add(resolve)
  gone.addEventListener('abort', leave, { once: true })
  try {
    await promise
  } finally {
    clearTimeout(timer)
    gone.removeEventListener('abort', leave)
  }
}
