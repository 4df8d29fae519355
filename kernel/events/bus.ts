import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { fieldsOf } from '../fields.ts'
import { boundedWarning } from '../log.ts'
import type { RecordChange } from './changes.ts'

/** Milliseconds after a lost message until the loss is announced. */
const RETRY_MS = 1000

/** What nodes tell each other. A lost message only delays what it tells. */
export type Message =
  | { type: 'changes'; changes: readonly RecordChange[] }
  /** Whoever runs this conversion must stop it. */
  | { type: 'cancel'; id: string; message: string }
  /** The sender could not tell something earlier. */
  | { type: 'missed' }

/** Carries messages to the other nodes. */
export type Bus = Awaited<ReturnType<typeof createBus>>

/**
 * A bus over Redis.
 * @param node This node, whose own messages are left out.
 * @param listener A connection of its own.
 */
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
}) {
  const channel = `${prefix}:changes`
  const followers = new Set<(message: Message) => void>()
  const reactions = new Set<() => void>()
  /** Says that messages may have been lost: a node is gone. */
  const noteMissed = () => {
    for (const react of reactions) react()
  }
  const noteStrange = boundedWarning(log, 'messages on the channel of the nodes are not from a node; ignored')
  let lost = false
  let retry: NodeJS.Timeout | undefined

  listener.on('message', (_channel: string, text: string) => {
    const received = read(text)
    if (!received) noteStrange()
    else if (received.from === node) return
    else if (received.message.type === 'missed') noteMissed()
    else for (const listener of followers) listener(received.message)
  })
  const subscribe = () => listener.subscribe(channel)
  await subscribe()
  // The client subscribes again by itself, but does not say when.
  listener.on('ready', () => void subscribe().then(noteMissed, (err) => log.debug({ err }, 'not subscribed')))

  function publish(message: Message): void {
    redis.publish(channel, JSON.stringify({ from: node, message })).then(announceLoss, (err) => {
      lost = true
      log.debug({ err }, 'message to other nodes lost')
      // A server that hung keeps its connections, so no event says that it answers again.
      retry ??= setTimeout(announceLoss, RETRY_MS).unref()
    })
  }
  function announceLoss(): void {
    clearTimeout(retry)
    retry = undefined
    if (!lost) return
    lost = false
    publish({ type: 'missed' })
  }
  redis.on('ready', announceLoss)

  return {
    publish,
    /** Calls `listener` for each message of another node. @param listener Must not throw. */
    follow: (listener: (message: Message) => void) => void followers.add(listener),
    /** Calls `react` after a time in which messages of other nodes may have been lost. @param react Must not throw. */
    onMissed: (react: () => void) => void reactions.add(react),
    noteMissed,
  }
}

/** Undefined for anything that no node wrote: others may use the same server. */
function read(text: string): { from: string; message: Message } | undefined {
  try {
    const received = JSON.parse(text)
    return isName(received.from) && isMessage(received.message) ? received : undefined
  } catch {
    return undefined
  }
}

function isMessage(value: unknown): value is Message {
  const { type, changes, id, message } = fieldsOf(value)
  if (type === 'changes') return Array.isArray(changes) && changes.every(isChange)
  if (type === 'cancel') return isName(id) && typeof message === 'string'
  return type === 'missed'
}

function isChange(value: unknown): boolean {
  const { owner, conversion, batch } = fieldsOf(value)
  // Its end is announced as the event of this name. Other events are commands.
  const isConversion = conversion === undefined || (isName(conversion) && conversion.startsWith('conv_'))
  return isName(owner) && isConversion && (isName(batch) || batch === null || batch === undefined)
}

/** Ids of nodes and records are short. Many of them are remembered. */
const isName = (value: unknown): value is string => typeof value === 'string' && value.length <= 100
