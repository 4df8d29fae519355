import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
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

/** How long a request waits for a store. */
const STORE_TIMEOUT_MS = 500

/** How long a store that did not answer is not asked again. */
const RETRY_AFTER_MS = 5000

/** The time in seconds, as koa-ratelimit reads it: precise to microseconds, and not affected when the clock is set. */
const now = () => (performance.timeOrigin + performance.now()) / 1000

/**
 * Creates a window. While its store does not answer, counts in the fallback: a store must not stop the service, nor
 * delay each request.
 *
 * @param name Keeps the window apart from others in the same store. @param duration In milliseconds.
 */
export function createWindow(store: RateStore, name: string, max: number, duration: number): Window {
  const count = createCounter(store, name, max, duration)
  if (!store.fallback) return count
  const instead = createWindow(store.fallback, name, max, duration)
  return async (client) => {
    if (performance.now() < store.awayUntil) return instead(client)
    // After a pause, one request asks again, and the others go on.
    if (store.awayUntil) store.awayUntil = performance.now() + RETRY_AFTER_MS
    // After a stalled event loop, the timer fires before the answer is read, so it waits for one more turn.
    const late = delay(STORE_TIMEOUT_MS, undefined, { ref: false }).then(() => turn())
    const verdict = await Promise.race([count(client), late]).catch(() => {})
    store.awayUntil = verdict ? 0 : performance.now() + RETRY_AFTER_MS
    return verdict ?? instead(client)
  }
}

/** Counts by koa-ratelimit: a middleware, which gets something that records its headers in place of a request. */
function createCounter(store: RateStore, name: string, max: number, duration: number): Window {
  const middleware = ratelimit({
    // A count contains its limit, so another limit needs another window.
    ...store.optionsFor(`window:${name}:${max}`),
    max,
    duration,
    id: (context: unknown) => (context as { client: string }).client,
    headers: HEADERS,
  })
  return async (client) => {
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
}
