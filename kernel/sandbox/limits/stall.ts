import { ConversionFailure } from '../../errors.ts'

/** Maximum milliseconds that one poll adds: while the machine slept, or was too busy to poll, nothing ran. */
const MAX_POLL_MS = 1000

/** Detects a stalled run: one that is stopped, deadlocked or waiting for keyboard input. */
export type Stall = ReturnType<typeof createStall>

/**
 * Calls `onStalled` once, with a TIMEOUT, when a run has used no CPU time and made no progress for `limit`
 * milliseconds. Reading and writing files takes CPU time, so a run on a slow disk goes on. If the disk does not answer
 * at all for so long, the run counts as stalled.
 *
 * @param limit null: no limit
 */
export function createStall(limit: number | null, onStalled: (failure: ConversionFailure) => void) {
  let used: number | undefined
  let quiet = 0
  let last = performance.now()

  return {
    /** Receives the seconds of CPU that the run's processes have used so far, ended ones included. */
    onPoll(cpu: number) {
      const now = performance.now()
      // A lower value is activity too: a process ended, and its parent did not wait for it.
      quiet = cpu === used ? quiet + Math.min(now - last, MAX_POLL_MS) : 0
      used = cpu
      last = now
      if (limit === null || quiet < limit) return
      quiet = Number.NEGATIVE_INFINITY
      const seconds = Math.round(limit / 1000)
      const message = `The conversion was stopped because its program did nothing for ${seconds} seconds`
      onStalled(new ConversionFailure('TIMEOUT', message))
    },
    onProgress() {
      quiet = 0
    },
  }
}
