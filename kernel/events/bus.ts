import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { RecordChange } from './changes.ts'

/** What nodes tell each other. A lost message only delays what it tells. */
export type Message =
  | { type: 'change'; change: RecordChange }
  /** Whoever runs this conversion must stop it. */
  | { type: 'cancel'; id: string; message: string }

/** Carries messages to the other nodes. */
export interface Bus {
  publish(message: Message): void
  /** Calls `hear` for each message of another node. @param hear Must not throw. */
  follow(hear: (message: Message) => void): void
}

/** A bus over Redis. @param node This node, whose own messages are left out. @param listener A connection of its own. */
export async function createBus({
  redis,
  listener,
  prefix,
  node,
  log,
}: {
  redis: Redis
  listener: Redis
  prefix: string
  node: string
  log: Logger
}): Promise<Bus> {
  const channel = `${prefix}:news`
  const followers = new Set<(message: Message) => void>()
  listener.on('message', (_channel: string, text: string) => {
    const told = read(text)
    if (!told) log.warn('a message on the channel of the nodes is not from a node')
    else if (told.from !== node) for (const hear of followers) hear(told.message)
  })
  await listener.subscribe(channel)
  return {
    publish(message) {
      redis
        .publish(channel, JSON.stringify({ from: node, message }))
        .catch((err) => log.debug({ err }, 'message to other nodes lost'))
    },
    follow: (hear) => void followers.add(hear),
  }
}

/** Undefined for anything that no node wrote: others may use the same server. */
function read(text: string): { from: string; message: Message } | undefined {
  try {
    const told = JSON.parse(text)
    return typeof told?.from === 'string' && typeof told.message?.type === 'string' ? told : undefined
  } catch {
    return undefined
  }
}
