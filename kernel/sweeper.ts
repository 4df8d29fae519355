import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Milliseconds between two sweeps. */
const INTERVAL = 20_000
/** Rows per step. Between steps, the database and the event loop can serve others. */
const BATCH = 100

/** Runs all sweeps at once and then every 20 seconds, until the signal aborts. */
export async function sweepForever(
  sweeps: readonly ((now: number, limit: number) => Promise<number>)[],
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const sweep of sweeps) {
      try {
        while (!signal.aborted && (await sweep(Date.now(), BATCH)) === BATCH);
      } catch (err) {
        log.error({ err }, 'sweep failed')
      }
    }
    await delay(INTERVAL, undefined, { signal, ref: false }).catch(() => {})
  }
}
