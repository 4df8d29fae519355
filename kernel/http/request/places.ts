import { once } from 'node:events'
import pLimit from 'p-limit'
import { ServiceError } from '../../errors.ts'
import type { Context } from '../context.ts'

/** How long a download waits for a place. Small downloads end much sooner. */
const PLACE_TIMEOUT_MS = 5000

/** Limits how many downloads each client has at a time. */
export type Places = ReturnType<typeof createPlaces>

/** @param max Downloads of one client at the same time. */
export function createPlaces(max: number) {
  /** By client. `users`: downloads that have a place or wait for one. */
  const clients = new Map<string, { limit: ReturnType<typeof pLimit>; users: number }>()

  return {
    /**
     * Takes a place until `gone` aborts. Waits up to 5 seconds if the client has no place left.
     *
     * @throws ServiceError RATE_LIMITED after that time; the reason of `gone` when it aborts before.
     */
    async take({ state: { owner } }: Context, gone: AbortSignal) {
      gone.throwIfAborted()
      const { client } = owner
      const places = clients.get(client) ?? { limit: pLimit(max), users: 0 }
      clients.set(client, places)
      places.users++
      const given = Promise.withResolvers<void>()
      const late = AbortSignal.timeout(PLACE_TIMEOUT_MS)
      const leave = () => given.reject(gone.aborted ? gone.reason : tooMany(max))
      for (const signal of [gone, late]) signal.addEventListener('abort', leave, { once: true })
      const hold = async () => {
        if (gone.aborted || late.aborted) return
        given.resolve()
        await once(gone, 'abort')
      }
      void places.limit(hold).finally(() => {
        if (--places.users === 0) clients.delete(client)
      })
      await given.promise
    },
  }
}

const tooMany = (max: number) =>
  new ServiceError(
    'RATE_LIMITED',
    `At most ${max} downloads at the same time are allowed; try again when one of them has ended`,
    { retryAfter: PLACE_TIMEOUT_MS / 1000 },
  )
