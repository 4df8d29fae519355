import type { Bus } from './bus.ts'
import { type Changes, createChanges, type RecordChange } from './changes.ts'
import type { ConversionEvents } from './events.ts'

/** Milliseconds after which a client that waits for a conversion looks again, in case its end was not told. */
const BEAT = 5000

/** Most conversions that are known to be pending, and most that are known to have ended, about 200 bytes each. */
const REMEMBERED = 10_000

/** Changes that the followers on all nodes hear. Clients that wait for a conversion look again when it may have ended. */
export function createSharedChanges(bus: Bus, events: ConversionEvents): Changes {
  const local = createChanges()
  /** Conversions that were accepted and whose end nobody has told, with their owners. Oldest first. */
  const pending = new Map<string, string>()
  /** Conversions whose end was told, oldest first. */
  const ended = new Set<string>()
  const lookAgain = () => {
    for (const name of events.eventNames()) if (isConversion(name)) events.emit(name)
  }
  function note({ conversion, owner, accepted, progress, begun }: RecordChange): void {
    if (!conversion || progress || begun) return
    if (!accepted) {
      pending.delete(conversion)
      ended.add(conversion)
    } else if (!ended.has(conversion)) {
      // Another node can tell the end before this one tells that it has accepted it.
      pending.set(conversion, owner)
    }
    for (const known of [pending, ended]) {
      const [oldest] = known.keys()
      if (known.size > REMEMBERED) known.delete(oldest!)
    }
  }
  local.follow(note)
  bus.follow((message) => {
    if (message.type !== 'change') return
    const { change } = message
    local.publish(change)
    if (change.conversion && !change.progress && !change.begun && !change.accepted)
      events.emit(change.conversion as `conv_${string}`)
  })
  bus.onMissed(() => {
    pending.clear()
    lookAgain()
  })
  setInterval(lookAgain, BEAT).unref()
  return {
    publish(change) {
      local.publish(change)
      bus.publish({ type: 'change', change })
    },
    follow: local.follow,
    isPending: (conversion, owner) => pending.get(conversion) === owner,
    onMissed: bus.onMissed,
  }
}

const isConversion = (name: unknown): name is `conv_${string}` => String(name).startsWith('conv_')
