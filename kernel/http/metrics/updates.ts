import { setTimeout as delay } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'

/** Outdated packages of the engines, as `findOwnUpdates` finds them. */
interface OutdatedPackages {
  lists: { state: 'current' | 'stale' | 'absent' }
  security: readonly unknown[]
  other: readonly unknown[]
}

/** Milliseconds until the first look, and from one to the next. Each takes seconds of processor time. */
const FIRST_MS = 60_000
const INTERVAL_MS = 86_400_000

/** Counts packages with updates, until the signal aborts. There is no value while nobody can know. */
export function gaugeUpdates(
  registry: Registry,
  find: () => Promise<OutdatedPackages>,
  signal: AbortSignal,
  first = FIRST_MS,
): void {
  const updates = new Gauge({
    name: 'athanor_security_updates',
    help: 'Packages of engines with a newer version in the security archive, or only elsewhere; none: not known.',
    labelNames: ['severity'],
    registers: [registry],
  })
  async function poll(): Promise<void> {
    const { lists, security, other } = await find()
    updates.reset()
    if (lists.state !== 'current') return
    updates.set({ severity: 'security' }, security.length)
    updates.set({ severity: 'other' }, other.length)
  }
  async function lookForever(): Promise<void> {
    for (let pause = first; !signal.aborted; pause = INTERVAL_MS) {
      await delay(pause, undefined, { signal, ref: false }).catch(() => {})
      if (!signal.aborted) await poll().catch(() => updates.reset())
    }
  }
  void lookForever()
}
