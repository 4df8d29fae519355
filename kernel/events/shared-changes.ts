import type { Bus } from './bus.ts'
import { type Changes, createChanges, isEnd, type RecordChange } from './changes.ts'

/** Milliseconds after which a client that waits for a conversion looks again, in case its end was not told. */
const BEAT = 5000

/**
 * Milliseconds for which a change may be held back, to be told together with others. Ends are told at once, with all
 * that was held: so the beginning of a short conversion costs no message of its own.
 */
const HOLD = 200

/**
 * Changes that the followers on all nodes hear. Clients that wait for a conversion look again when it may have ended.
 */
export function createSharedChanges(bus: Bus): Changes {
  const local = createChanges()
  let held: RecordChange[] = []
  let telling: NodeJS.Timeout | undefined
  function tellHeld(): void {
    clearTimeout(telling)
    telling = undefined
    bus.publish({ type: 'changes', changes: held })
    held = []
  }
  bus.follow((message) => {
    if (message.type === 'changes') for (const change of message.changes) local.publish(change)
  })
  bus.onMissed(local.lookAgain)
  setInterval(local.lookAgain, BEAT).unref()
  return {
    ...local,
    publish(change) {
      local.publish(change)
      held.push(change)
      if (isEnd(change)) tellHeld()
      else telling ??= setTimeout(tellHeld, HOLD).unref()
    },
    onMissed: bus.onMissed,
  }
}
