import type { Bus } from './bus.ts'
import { type Changes, createChanges } from './changes.ts'
import type { ConversionEvents } from './events.ts'

/** Milliseconds after which a client that waits for a conversion looks again, in case its end was not told. */
const BEAT = 5000

/** Changes that the followers on all nodes hear. Clients that wait for a conversion look again when it may have ended. */
export function createSharedChanges(bus: Bus, events: ConversionEvents): Changes {
  const local = createChanges()
  const lookAgain = () => {
    for (const name of events.eventNames()) if (isConversion(name)) events.emit(name)
  }
  bus.follow((message) => {
    if (message.type !== 'change') return
    const { change } = message
    local.publish(change)
    if (change.conversion && !change.progress && !change.begun) events.emit(change.conversion as `conv_${string}`)
  })
  bus.onMissed(lookAgain)
  setInterval(lookAgain, BEAT).unref()
  return {
    publish(change) {
      local.publish(change)
      bus.publish({ type: 'change', change })
    },
    follow: local.follow,
    onMissed: bus.onMissed,
  }
}

const isConversion = (name: unknown): name is `conv_${string}` => String(name).startsWith('conv_')
