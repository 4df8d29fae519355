import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { outlast } from './outlast.ts'
import { hasHung, mayHaveRun } from './unavailable.ts'

/** Milliseconds that a caller waits to learn whether its work was done. */
const LEARNT = 3000

/**
 * Milliseconds from the first look that the database answers to the last one. A server that hung, or that is reached again,
 * may only then receive the statement, and gives it up 8 s later (patience.ts). A network repeats what was lost for longer.
 */
const GIVEN_UP = 60_000

/** Milliseconds between the first two looks, and between the last ones. */
const PAUSE = { first: 250, most: 2000 }

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
  async function lookFor({ isThere }: Trace, signal: AbortSignal): Promise<boolean> {
    let end: number | undefined
    for (let pause = PAUSE.first; ; pause = Math.min(pause * 1.5, PAUSE.most)) {
      if (await isThere()) return true
      end ??= performance.now() + GIVEN_UP
      if (performance.now() > end || signal.aborted) return false
      await delay(pause, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  // The failed request itself is logged.
  const quietly = () => {}

  const isThereSoon = (trace: Trace) => {
    const late = AbortSignal.timeout(LEARNT)
    return soon(outlast(() => lookFor(trace, late), late, quietly))
  }

  const withdrawLater = (trace: Trace) =>
    outlast(async () => (await lookFor(trace, stopping)) && trace.withdraw(), stopping, quietly)

  return async function certainly(work, trace) {
    try {
      return await work()
    } catch (error) {
      if (!mayHaveRun(error)) throw error
      if (!hasHung(error) && (await isThereSoon(trace))) return undefined
      withdrawLater(trace).catch((err) => log.error({ err }, 'cannot withdraw what was not confirmed'))
      throw error
    }
  }
}

/** Resolves as `look` does, to false if it fails or takes too long: a look can hang as well. */
const soon = (look: Promise<boolean>): Promise<boolean> =>
  Promise.race([look.catch(() => false), delay(LEARNT, false, { ref: false })])
