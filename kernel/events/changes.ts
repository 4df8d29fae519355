import { EventEmitter, once } from 'node:events'

/** A record that changed. It is small and holds no record, so it can be sent to other nodes. */
export interface RecordChange {
  /** The owner of the record: `guest_…`, `user_…` or `team_…`. */
  owner: string
  /** The conversion that changed. Undefined: only the owner's usage changed. */
  conversion?: string
  /** The batch of the conversion. */
  batch?: string | null
  /** Whether only the progress changed: the counts of the batch and the usage are the same. */
  progress?: true
  /** Whether it was only accepted, begun or given back: who waits for its end need not look. */
  begun?: true
}

/** Tells followers which records changed: in this process, or with another driver on all nodes. */
export interface Changes {
  /** Publishes a change. Call it after the change is committed. */
  publish(change: RecordChange): void
  /** Calls `listener` for each change, in the order in which they are published. @param listener Must not throw. */
  follow(listener: (change: RecordChange) => void): void
  /** Calls `react` when changes may have been missed. Never within one process. @param react Must not throw. */
  onMissed(react: () => void): void
  /** Resolves when a conversion may have ended, or when the signal aborts. */
  ended(conversion: string, signal: AbortSignal): Promise<unknown>
}

/** Whether a conversion may have ended, which clients wait for. */
const isEnd = ({ conversion, progress, begun }: RecordChange): boolean =>
  conversion !== undefined && !progress && !begun

/** Changes in this process. `wakeAll` wakes all who wait for an end. */
export function createChanges(): Changes & { wakeAll(): void } {
  const followers = new Set<(change: RecordChange) => void>()
  // Every waiting client adds a listener of the id.
  const ends = new EventEmitter().setMaxListeners(0)
  return {
    publish(change) {
      for (const listener of followers) listener(change)
      if (change.conversion && isEnd(change)) ends.emit(change.conversion)
    },
    follow: (listener) => void followers.add(listener),
    onMissed() {},
    ended: (conversion, signal) => once(ends, conversion, { signal }).catch(() => {}),
    wakeAll() {
      // Who waits also listens for errors.
      for (const name of ends.eventNames()) if (name !== 'error') ends.emit(name)
    },
  }
}
