import type { Bus } from './bus.ts'
import { type Changes, createChanges } from './changes.ts'

/** Milliseconds after which a client that waits for a conversion polls it, in case the message of its end was lost. */
const BEAT = 5000

/**
 * Changes that the followers on all nodes hear. Clients that wait for a conversion look again when it may have ended.
 */
export function createSharedChanges(bus: Bus): Changes {
  const local = createChanges()
  bus.follow((message) => {
    if (message.type === 'changes') for (const change of message.changes) local.publish(change)
  })
  bus.onMissed(local.wakeAll)
  setInterval(local.wakeAll, BEAT).unref()
  return {
    ...local,
    publish(change) {
      local.publish(change)
      bus.publish({ type: 'changes', changes: [change] })
    },
    onMissed: bus.onMissed,
  }
}
