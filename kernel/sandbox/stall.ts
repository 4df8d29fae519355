import { ConversionFailure } from '../errors.ts'

/** Milliseconds that one look counts for at most: while the machine slept, or was too busy to look, nothing ran. */
const LOOK = 1000

/** Ends a run that stands still: stopped, in a deadlock, waiting for somebody to type. */
export interface Stall {
  /** Takes the seconds of CPU that its processes have used so far, those that ended included. */
  looked(cpu: number): void
  progressed(): void
}

/**
 * Calls `stalled` once, with a TIMEOUT, when a run has used no CPU time and made no progress for `limit` milliseconds.
 * Reading and writing files takes CPU time, so a run that waits for a slow disk goes on; one whose disk answers nothing
 * for so long does not.
 *
 * @param limit null for no bound
 */
export function createStall(limit: number | null, stalled: (failure: ConversionFailure) => void): Stall {
  let used: number | undefined
  let quiet = 0
  let last = performance.now()

  return {
    looked(cpu) {
      const now = performance.now()
      // Less than before is life too: a process ended that nobody waited for.
      quiet = cpu === used ? quiet + Math.min(now - last, LOOK) : 0
      used = cpu
      last = now
      if (limit === null || quiet < limit) return
      quiet = Number.NEGATIVE_INFINITY
      const seconds = Math.round(limit / 1000)
      const message = `The conversion was stopped because its program did nothing for ${seconds} seconds`
      stalled(new ConversionFailure('TIMEOUT', message))
    },
    progressed() {
      quiet = 0
    },
  }
}
