import { orAborted } from './or-aborted.ts'

/** One piece of work that several callers wait for. */
interface Flight<T> {
  done: Promise<void>
  /** Set at the moment when there is a result, which may be before `done`. */
  result: T | undefined
  waiting: number
  stop: AbortController
}

/** Work of a flight. It calls `land` once, with what makes a result for so many callers. */
type Work<T> = (signal: AbortSignal, land: (make: (callers: number) => T) => T) => Promise<void>

/**
 * Creates a function by which callers at the same time share one piece of work by key. The work is aborted when all of
 * its callers have aborted; the last of them then waits until it has cleaned up.
 *
 * @param giveBack Releases the share of a caller who aborted after the result was there.
 */
export function createFlights<T>(giveBack: (result: T) => Promise<void>) {
  const flights = new Map<string, Flight<T>>()

  function begin(key: string, work: Work<T>): Flight<T> {
    const stop = new AbortController()
    const flight: Flight<T> = { done: Promise.resolve(), result: undefined, waiting: 0, stop }
    flights.set(key, flight)
    flight.done = work(stop.signal, (make) => (flight.result = make(flight.waiting))).finally(() => end(key, flight))
    // Each caller handles it. If all have left, nobody does.
    flight.done.catch(() => {})
    return flight
  }

  function end(key: string, flight: Flight<T>): void {
    if (flights.get(key) === flight) flights.delete(key)
  }

  return async function join(key: string, work: Work<T>, signal: AbortSignal | undefined): Promise<T> {
    signal?.throwIfAborted()
    const flight = flights.get(key) ?? begin(key, work)
    flight.waiting++
    try {
      await (signal ? orAborted(flight.done, signal) : flight.done)
    } catch (error) {
      flight.waiting--
      if (flight.result) await giveBack(flight.result)
      else if (!flight.waiting) {
        end(key, flight)
        flight.stop.abort()
        await flight.done.catch(() => {})
      }
      throw error
    }
    // biome-ignore lint/style/noNonNullAssertion: its work is done, and sets it.
    return flight.result!
  }
}
