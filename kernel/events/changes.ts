/** A record that changed. It is small and holds no record, so it could also be sent to another node. */
export interface RecordChange {
  /** The owner of the record: `guest_…`, `user_…` or `team_…`. */
  owner: string
  /** The conversion that changed. Undefined: only the owner's usage changed. */
  conversion?: string
  /** The batch of the conversion. */
  batch?: string | null
  /** Whether only the progress changed: the counts of the batch and the usage are the same. */
  progress?: true
}

/**
 * Tells followers which records changed. This driver works inside one process. With several nodes, another driver with
 * the same two methods would also tell the followers on the other nodes.
 */
export interface Changes {
  /** Publishes a change. Call it after the change is committed. */
  publish(change: RecordChange): void
  /** Calls `hear` for each change, in the order in which they are published. @param hear Must not throw. */
  follow(hear: (change: RecordChange) => void): void
}

export function createChanges(): Changes {
  const followers = new Set<(change: RecordChange) => void>()
  return {
    publish(change) {
      for (const hear of followers) hear(change)
    },
    follow: (hear) => void followers.add(hear),
  }
}
