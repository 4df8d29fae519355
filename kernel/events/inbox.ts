/**
 * What a stream of events still has to send: the names of changed records, each once, in the order of their changes.
 */
export type Inbox = ReturnType<typeof createInbox>

/**
 * Creates an inbox. It holds names, not records: a slow reader costs little memory and later gets the latest records.
 *
 * @param start Number of the last change before the stream. @param latest Returns the number of the last change of all.
 * @param pauseOf Returns the milliseconds between two records of this name.
 */
export function createInbox(start: number, latest: () => number, pauseOf: (name: string) => number) {
  /** The number of the change of each name. It rises from the first entry to the last one. */
  let waiting = new Map<string, number>()
  /** When a name may be sent again, in milliseconds of the monotonic clock. */
  const held = new Map<string, number>()
  let wake = () => {}
  let closed = false

  const due = (name: string) => held.get(name) ?? 0

  return {
    /**
     * Puts names in front of all others. Until they are sent, the client does not know the changes before the stream.
     */
    begin(names: readonly string[]) {
      const fresh = names.filter((name) => !waiting.has(name)).map((name) => [name, 0] as const)
      waiting = new Map([...fresh, ...waiting])
      wake()
    },

    /** Notes a change. A name that is already waiting moves to the end. */
    mark(name: string, number: number) {
      waiting.delete(name)
      waiting.set(name, number)
      wake()
    },

    /**
     * Takes the first name that may be sent now. `seen` is the number up to which the client will know every change;
     * undefined: not even those before the stream.
     */
    take() {
      const now = performance.now()
      for (const [name] of waiting) {
        if (due(name) > now) continue
        waiting.delete(name)
        const pause = pauseOf(name)
        if (pause) held.set(name, now + pause)
        const first = waiting.values().next().value
        const seen = first === undefined ? latest() : first - 1
        return { name, seen: seen < start ? undefined : seen }
      }
      return undefined
    },

    /** Waits until there may be something to take, at most `max` milliseconds, or until the signal aborts. */
    async wait(max: number, signal: AbortSignal) {
      if (signal.aborted || closed) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const now = performance.now()
      const soonest = Math.min(now + max, ...[...waiting.keys()].map(due))
      const timer = setTimeout(resolve, Math.max(0, soonest - now))
      wake = resolve
      signal.addEventListener('abort', wake, { once: true })
      await promise
      signal.removeEventListener('abort', wake)
      clearTimeout(timer)
      wake = () => {}
    },

    /** Number of waiting names. */
    size: () => waiting.size,
    /** Ends the stream: it may have missed changes, so the client must begin another one. */
    close() {
      closed = true
      wake()
    },
    closed: () => closed,
  }
}
