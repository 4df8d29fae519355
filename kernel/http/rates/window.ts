import ratelimit from 'koa-ratelimit'
import type { RateStore } from './store.ts'

/** What a window says of one request. */
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

/** Microseconds count, and a clock that is set does not: this is the time that koa-ratelimit goes by. */
const now = () => (performance.timeOrigin + performance.now()) / 1000

/**
 * A window of koa-ratelimit. That is a middleware which sets headers of one family only; here it meets no request, but
 * a recorder of what it would say.
 *
 * @param name Keeps the window apart from others in the same store. @param duration Milliseconds.
 */
export function createWindow(store: RateStore, name: string, max: number, duration: number): Window {
  const id = (context: unknown) => (context as { client: string }).client
  // A store keeps the limit with the count: another limit is another window.
  const middleware = ratelimit({ ...store(), namespace: `rate:${name}:${max}`, max, duration, id, headers: HEADERS })
  return async (client) => {
    const said: Record<string, number> = {}
    let allowed = false
    // It sets an object of headers first, and Retry-After, which is rounded down, by name.
    const set = (fields: object | string) => void (typeof fields === 'object' && Object.assign(said, fields))
    await middleware({ client, set, state: {} } as never, async () => void (allowed = true))
    return { allowed, limit: max, duration, remaining: said.remaining!, reset: Math.max(0, said.reset! - now()) }
  }
}
