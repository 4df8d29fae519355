import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isUnavailable, mayHaveRun } from './unavailable.ts'

/** Milliseconds that a caller waits to learn whether its work was done. */
const LEARNT = 3000

/** Milliseconds after which a server has given up each statement whose answer was lost: its limit is shorter. */
const GIVEN_UP = 10_000

/** Milliseconds between two looks. */
const PAUSE = { first: 100, most: 2000 }

/** What tells of work whose answer was lost, and undoes it. */
export interface Trace {
  /** Whether the database has the record that the work makes. */
  isThere: () => Promise<boolean>
  /** Removes the record and what it costs its owner. May be called again if it failed. */
  withdraw: () => Promise<void>
}

/**
 * Runs work that must be done and known, or not done. If its answer was lost, looks for its record: resolves to undefined if
 * it is there. Otherwise throws the error, and withdraws the record later if the server does the work after all.
 */
export type Certainly = <T>(work: () => Promise<T>, trace: Trace) => Promise<T | undefined>

/** @param stopping Aborts when the service stops. What is not withdrawn by then stays, as if its answer had arrived. */
export function createCertainly({ log, stopping }: { log: Logger; stopping: AbortSignal }): Certainly {
  /** Looks for a record until it is there, `signal` aborts, or its statement has been given up. */
  async function lookFor({ isThere }: Trace, lost: number, signal: AbortSignal): Promise<boolean> {
    for (let pause = PAUSE.first; !signal.aborted; pause = Math.min(pause * 2, PAUSE.most)) {
      const isGivenUp = performance.now() - lost > GIVEN_UP
      const seen = await isThere().catch((error) => {
        if (!isUnavailable(error)) throw error
      })
      if (seen) return true
      if (seen === false && isGivenUp) return false
      await delay(pause, undefined, { signal, ref: false }).catch(() => {})
    }
    return false
  }

  async function withdrawLater(trace: Trace, lost: number): Promise<void> {
    while (await lookFor(trace, lost, stopping)) {
      try {
        return await trace.withdraw()
      } catch (error) {
        if (!isUnavailable(error)) throw error
        await delay(PAUSE.most, undefined, { signal: stopping, ref: false }).catch(() => {})
      }
    }
  }

  return async function certainly(work, trace) {
    try {
      return await work()
    } catch (error) {
      if (!mayHaveRun(error)) throw error
      const lost = performance.now()
      // A caller that has waited for a server that hangs has waited long enough.
      const hung = (error as NodeJS.ErrnoException).code === 'PROTOCOL_SEQUENCE_TIMEOUT'
      if (!hung && (await soon(lookFor(trace, lost, AbortSignal.timeout(LEARNT))))) return undefined
      withdrawLater(trace, lost).catch((err) => log.error({ err }, 'cannot withdraw what was not confirmed'))
      throw error
    }
  }
}

/** Resolves as `look` does, to false if it fails or takes too long: a look can hang as well. */
const soon = (look: Promise<boolean>): Promise<boolean> =>
  Promise.race([look.catch(() => false), delay(LEARNT, false, { ref: false })])
