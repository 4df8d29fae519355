import { randomUUID } from 'node:crypto'
import type { Changes, RecordChange } from './changes.ts'
import { createInbox, type Inbox } from './inbox.ts'

/** Which records a stream reports. Without `conversion` and `batch`: everything of the owners. */
export interface Topic {
  owners: readonly string[]
  conversion?: string | undefined
  batch?: string | undefined
  /** Whether the stream also reports the usage. */
  usage: boolean
}

/** The name of an owner's usage among the names of an inbox. The others are ids of conversions and batches. */
export const USAGE = 'usage'

/** Maximum number of conversions whose last change is remembered, about 200 bytes each. */
const REMEMBERED = 10_000

/** Milliseconds between two records of the usage, or of one batch. Each conversion changes them. */
const PAUSE = 1000

/**
 * Remembers which records changed, and tells the open streams. It reads no records.
 *
 * @param remembered Maximum number of conversions whose last change is remembered.
 */
export function createNews(changes: Changes, remembered = REMEMBERED) {
  // The numbers of another process mean other changes.
  const process = randomUUID().slice(0, 8)
  const followers = new Map<string, Set<(change: RecordChange, number: number) => void>>()
  /** The last change of each conversion, oldest first. */
  const recent = new Map<string, { change: RecordChange; number: number }>()
  const inboxes = new Set<Inbox>()
  let number = 0
  /** Number of the last change that was forgotten. */
  let forgotten = 0

  changes.onMissed(() => {
    // No client that continues would learn of them, so all begin again.
    forgotten = ++number
    for (const inbox of inboxes) inbox.close()
  })

  changes.follow((change) => {
    number++
    if (change.conversion) {
      recent.delete(change.conversion)
      recent.set(change.conversion, { change, number })
      const [oldest] = recent
      if (recent.size > remembered && oldest) {
        recent.delete(oldest[0])
        forgotten = oldest[1].number
      }
    }
    for (const listener of followers.get(change.owner) ?? []) listener(change, number)
  })

  function follow(owner: string, listener: (change: RecordChange, number: number) => void, signal: AbortSignal): void {
    if (signal.aborted) return
    const hearing = followers.get(owner) ?? new Set()
    followers.set(owner, hearing.add(listener))
    signal.addEventListener(
      'abort',
      () => {
        hearing.delete(listener)
        if (!hearing.size && followers.get(owner) === hearing) followers.delete(owner)
      },
      { once: true },
    )
  }

  /** Returns the number of an event's id, if all changes after it are still known. */
  function numberOf(id: string | undefined): number | undefined {
    const [, of, digits] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(id ?? '') ?? []
    const after = Number(digits)
    return of === process && after >= forgotten && after <= number ? after : undefined
  }

  return {
    /**
     * Opens an inbox, until the signal aborts. It first gets what changed after the event `last`. `resumed`: whether
     * these changes are still known. If not, the caller lets the inbox begin with the records that the client needs.
     */
    open({ owners, conversion, batch, usage }: Topic, last: string | undefined, signal: AbortSignal) {
      const after = numberOf(last)
      const latest = () => number
      const inbox = createInbox(after ?? number, latest, (name) => (name.startsWith('conv_') ? 0 : PAUSE))
      const listener = (change: RecordChange, number: number) => {
        if (conversion && change.conversion !== conversion) return
        if (batch && change.batch !== batch) return
        if (change.conversion) inbox.mark(change.conversion, number)
        if (change.progress) return
        if (change.batch && !conversion) inbox.mark(change.batch, number)
        if (usage) inbox.mark(USAGE, number)
      }
      if (after !== undefined) {
        for (const { change, number } of recent.values()) {
          // Changes of the status may hide behind the last progress.
          const { progress: _, ...whole } = change
          if (number > after && owners.includes(change.owner)) listener(whole, number)
        }
      }
      for (const owner of owners) follow(owner, listener, signal)
      if (!signal.aborted) inboxes.add(inbox)
      signal.addEventListener('abort', () => inboxes.delete(inbox), { once: true })
      return { inbox, resumed: after !== undefined }
    },
    /** The id of an event after which the client knows every change up to this number. */
    idOf: (number: number) => `${process}-${number}`,
  }
}
