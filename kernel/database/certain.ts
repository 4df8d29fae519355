import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { outlast } from './outlast.ts'
import { mayHaveRun } from './unavailable.ts'

/** Milliseconds that a caller waits to learn whether its work was done. */
const LEARNT = 3000

/** Milliseconds after which a server has given up each statement whose answer was lost: its limit is shorter. */
const GIVEN_UP = 10_000

/** Milliseconds between two looks. */
const PAUSE = 250

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
    for (;;) {
      const isGivenUp = performance.now() - lost > GIVEN_UP
      if (await isThere()) return true
      if (isGivenUp || signal.aborted) return false
      await delay(PAUSE, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  // The failed request itself is logged.
  const quietly = () => {}

  const isThereSoon = (trace: Trace, lost: number) => {
    const late = AbortSignal.timeout(LEARNT)
    return soon(outlast(() => lookFor(trace, lost, late), late, quietly))
  }

  const withdrawLater = (trace: Trace, lost: number) =>
    outlast(async () => (await lookFor(trace, lost, stopping)) && trace.withdraw(), stopping, quietly)

  return async function certainly(work, trace) {
    try {
      return await work()
    } catch (error) {
      if (!mayHaveRun(error)) throw error
      const lost = performance.now()
      // A caller that has waited for a server that hangs has waited long enough.
      const hung = (error as NodeJS.ErrnoException).code === 'PROTOCOL_SEQUENCE_TIMEOUT'
      if (!hung && (await isThereSoon(trace, lost))) return undefined
      withdrawLater(trace, lost).catch((err) => log.error({ err }, 'cannot withdraw what was not confirmed'))
      throw error
    }
  }
}

/** Resolves as `look` does, to false if it fails or takes too long: a look can hang as well. */
const soon = (look: Promise<boolean>): Promise<boolean> =>
  Promise.race([look.catch(() => false), delay(LEARNT, false, { ref: false })])
