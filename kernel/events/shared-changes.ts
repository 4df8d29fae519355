import type { Bus } from './bus.ts'
import { type Changes, createChanges } from './changes.ts'
import type { ConversionEvents } from './events.ts'

/** Changes that the followers on all nodes hear. Clients that wait for a conversion look again when it changes. */
export function createSharedChanges(bus: Bus, events: ConversionEvents): Changes {
  const local = createChanges()
  bus.follow((message) => {
    if (message.type !== 'change') return
    const { change } = message
    local.publish(change)
    if (change.conversion && !change.progress) events.emit(change.conversion as `conv_${string}`)
  })
  return {
    publish(change) {
      local.publish(change)
      bus.publish({ type: 'change', change })
    },
    follow: local.follow,
  }
}
