import type { Answer } from './send.ts'

/** Waits. @throws The signal's reason if it aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Tracks the rate limits of each family of requests, so that the client sends no request that would be refused. */
export interface Pace {
  /** Returns the milliseconds to wait before the next request of this family, as far as is known. */
  delay(family: string): number
  /** Counts a sent request. Call the returned function with its answer, or without one if there was none. */
  leave(family: string): (answer?: Answer) => void
}

/** One family: pending requests, and how many requests the service accepts until its window ends. */
interface Window {
  underWay: number
  left: number
  /** End of the window, in epoch milliseconds. */
  until: number
}

/** @param now Epoch milliseconds. */
export function createPace(now: () => number = Date.now): Pace {
  const windows = new Map<string, Window>()
  return {
    delay(family) {
      const { left, until } = windows.get(family) ?? { left: 1, until: 0 }
      return left > 0 ? 0 : Math.max(0, until - now())
    },
    leave(family) {
      const window = windows.get(family) ?? { underWay: 0, left: 1, until: 0 }
      windows.set(family, window)
      window.underWay++
      window.left--
      return (answer) => {
        window.underWay--
        const left = Number(answer?.header('RateLimit-Remaining'))
        const seconds = Number(answer?.header('RateLimit-Reset'))
        if (!Number.isNaN(left) && seconds >= 0) {
          window.until = now() + seconds * 1000
          // The service may not have counted the pending requests yet.
          window.left = left - window.underWay
        } else if (window.until <= now()) window.left = 1
      }
    },
  }
}

/** Guesses the family in which the service counts a request. Only the pauses depend on it; the service decides. */
export function familyOf(method: string, path: string): string {
  const [, resource = '', part] = path.split(/[/?]/)
  if (resource === 'conversions' && part !== 'zip') return method === 'POST' ? 'conversions' : ''
  if (resource === 'import') return 'uploads'
  // The parts of an upload count only towards the ceiling.
  if (resource === 'uploads' && method !== 'POST') return ''
  return ['uploads', 'files', 'auth'].includes(resource) ? resource : 'requests'
}
