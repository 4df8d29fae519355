import ratelimit from 'koa-ratelimit'
import type { RateStore } from './store.ts'

/** The result of counting one request in a window. */
export interface RateVerdict {
  allowed: boolean
  /** Requests of one client in one window. */
  limit: number
  /** Requests left. */
  remaining: number
  /** Seconds until the window ends. */
  reset: number
  /** Milliseconds of the whole window. */
  duration: number
}

/** Counts a request of a client. */
export type Window = (client: string) => Promise<RateVerdict>

const HEADERS = { total: 'limit', remaining: 'remaining', reset: 'reset' }

/** The time in seconds, as koa-ratelimit reads it: precise to microseconds, and not affected when the clock is set. */
const now = () => (performance.timeOrigin + performance.now()) / 1000

/**
 * Makes a window of koa-ratelimit. That middleware would set headers of one family only, so it gets a recorder in
 * place of a request.
 *
 * @param name Keeps the window apart from others in the same store. @param duration Milliseconds.
 */
export function createWindow(store: RateStore, name: string, max: number, duration: number): Window {
  const id = (context: unknown) => (context as { client: string }).client
  // A store keeps the limit with the count, so another limit needs another window.
  const { prefix = '', spare, ...place } = store()
  const namespace = `${prefix}rate:${name}:${max}`
  const middleware = ratelimit({ ...place, namespace, max, duration, id, headers: HEADERS })
  const instead = spare && createWindow(spare, name, max, duration)

  async function count(client: string): Promise<RateVerdict> {
    const said: Record<string, number> = {}
    let allowed = false
    // It sets the headers as one object. It sets Retry-After, which is rounded down, by name.
    const set = (fields: object | string) => void (typeof fields === 'object' && Object.assign(said, fields))
    await middleware({ client, set, state: {} } as never, async () => void (allowed = true))
    // In Redis, the end of a window is rounded down to whole seconds.
    const end = said.reset! + (spare ? 1 : 0)
    return { allowed, limit: max, duration, remaining: said.remaining!, reset: Math.max(0, end - now()) }
  }

  // A store that is away must not stop the service.
  return instead ? (client) => count(client).catch(() => instead(client)) : count
}
