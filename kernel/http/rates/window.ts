import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import ratelimit from 'koa-ratelimit'
import type { Fallback, RateStore } from './store.ts'

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

/** How long a request waits for a store. */
const STORE_TIMEOUT_MS = 500

/** How long a store that did not answer is not asked again. */
const RETRY_AFTER_MS = 5000

/** The time in seconds, as koa-ratelimit reads it: precise to microseconds, and not affected when the clock is set. */
const now = () => (performance.timeOrigin + performance.now()) / 1000

/**
 * Creates a window of koa-ratelimit. That middleware would set headers of one family only, so it gets a recorder in
 * place of a request.
 *
 * @param name Keeps the window apart from others in the same store. @param duration In milliseconds.
 */
export function createWindow(store: RateStore, name: string, max: number, duration: number): Window {
  const id = (context: unknown) => (context as { client: string }).client
  // A store keeps the limit with the count, so another limit needs another window.
  const { prefix = '', fallback, ...place } = store()
  const namespace = `${prefix}window:${name}:${max}`
  const middleware = ratelimit({ ...place, namespace, max, duration, id, headers: HEADERS })

  async function count(client: string): Promise<RateVerdict> {
    const headers = { remaining: 0, reset: 0 }
    let allowed = false
    // It sets the headers as one object. It sets Retry-After, which is rounded down, by name.
    const set = (fields: object | string) => {
      if (typeof fields === 'object') Object.assign(headers, fields)
    }
    await middleware({ client, set, state: {} } as never, async () => {
      allowed = true
    })
    // From Redis, the end of a window is rounded up to whole seconds.
    const reset = Math.min(duration / 1000, Math.max(0, headers.reset - now()))
    return { allowed, limit: max, duration, remaining: headers.remaining, reset }
  }

  return fallback ? orElse(count, createWindow(fallback.store, name, max, duration), fallback) : count
}

/** Counts by `instead` while the store is away: it must not stop the service, nor delay each request. */
function orElse(count: Window, instead: Window, { away }: Fallback): Window {
  return async (client) => {
    if (performance.now() < away.until) return instead(client)
    // After a pause, one request asks again, and the others go on.
    if (away.until) away.until = performance.now() + RETRY_AFTER_MS
    // After a stalled event loop, the timer fires before the answer is read, so it waits for one more turn.
    const late = delay(STORE_TIMEOUT_MS, undefined, { ref: false }).then(() => turn())
    const verdict = await Promise.race([count(client), late]).catch(() => {})
    away.until = verdict ? 0 : performance.now() + RETRY_AFTER_MS
    return verdict ?? instead(client)
  }
}
