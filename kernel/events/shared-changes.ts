import type { Bus } from './bus.ts'
import { type Changes, createChanges, type RecordChange } from './changes.ts'
import type { ConversionEvents } from './events.ts'

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
export function createSharedChanges(bus: Bus, events: ConversionEvents): Changes {
  const local = createChanges()
  let held: RecordChange[] = []
  let telling: NodeJS.Timeout | undefined
  const lookAgain = () => {
    for (const name of events.eventNames()) if (isConversion(name)) events.emit(name)
  }
  function tellHeld(): void {
    clearTimeout(telling)
    telling = undefined
    bus.publish({ type: 'changes', changes: held })
    held = []
  }
  bus.follow((message) => {
    if (message.type !== 'changes') return
    for (const change of message.changes) {
      local.publish(change)
      if (isEnd(change)) events.emit(change.conversion as `conv_${string}`)
    }
  })
  bus.onMissed(lookAgain)
  setInterval(lookAgain, BEAT).unref()
  return {
    publish(change) {
      local.publish(change)
      held.push(change)
      if (isEnd(change)) tellHeld()
      else telling ??= setTimeout(tellHeld, HOLD).unref()
    },
    follow: local.follow,
    onMissed: bus.onMissed,
  }
}

const isConversion = (name: unknown): name is `conv_${string}` => String(name).startsWith('conv_')

/** Whether a conversion may have ended, which clients wait for. */
const isEnd = ({ conversion, progress, begun }: RecordChange) => conversion !== undefined && !progress && !begun
