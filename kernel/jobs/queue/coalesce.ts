/**
 * Makes work that callers can ask for at any time, but that runs once at a time for each key. Calls that come while it
 * runs share the next run, which begins after them.
 */
export function coalesce(work: (key: string) => Promise<void>): (key: string) => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const next = new Map<string, Promise<void>>()

  async function begin(key: string): Promise<void> {
    await running.get(key)?.catch(() => {})
    next.delete(key)
    const run = work(key)
    running.set(key, run)
    try {
      await run
    } finally {
      if (running.get(key) === run) running.delete(key)
    }
  }

  return (key) => {
    const shared = next.get(key) ?? begin(key)
    next.set(key, shared)
    return shared
  }
}
