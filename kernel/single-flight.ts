/** Runs work, unless the same work by its key still runs: then it returns the result of that run, also if it fails. */
type SingleFlight<T> = (key: string, work: () => Promise<T>) => Promise<T>

/** Makes a function by which callers at the same time share one run. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const running = new Map<string, Promise<T>>()
  return (key, work) => {
    const shared = running.get(key) ?? work().finally(() => running.delete(key))
    running.set(key, shared)
    return shared
  }
}
