import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds between two sweeps. */
const INTERVAL = 20_000
/** Rows per step. Between steps, the database and the event loop can serve others. */
const BATCH = 100

/** Removes at most `limit` expired things; resolves to their number. `now`: epoch milliseconds. */
type Sweep = (now: number, limit: number) => Promise<number>

/**
 * Runs all sweeps at once and then every 20 seconds, until the signal aborts. They take turns of one batch, so many
 * expired things of one kind do not keep those of another.
 *
 * @param sweeps `own`: of what this node alone has. `shared`: of what all nodes share.
 * @param leads Whether this node sweeps what is shared.
 * @param complain Called with the error of each sweep that failed.
 */
export async function sweepForever(
  sweeps: { own: readonly Sweep[]; shared: readonly Sweep[] },
  leads: () => boolean,
  complain: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const run = async (sweep: Sweep): Promise<boolean> => {
    try {
      return !signal.aborted && (await sweep(Date.now(), BATCH)) === BATCH
    } catch (err) {
      complain(err)
      return false
    }
  }
  while (!signal.aborted) {
    for (let due = [...sweeps.own, ...sweeps.shared]; due.length; ) {
      const more: Sweep[] = []
      for (const sweep of due) if ((sweeps.own.includes(sweep) || leads()) && (await run(sweep))) more.push(sweep)
      due = more
    }
    await delay(INTERVAL, undefined, { signal, ref: false }).catch(() => {})
  }
}
