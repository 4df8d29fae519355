/** A time of the monotonic clock that can be put off. */
interface Deadline {
  /** Puts it off. @param until Milliseconds of `performance.now()`. */
  extend(until: number): void
  /** Milliseconds until it passes; 0: it has passed. */
  rest(): number
  /** Whether it has not passed. */
  holds(): boolean
  /** From now on it has passed, and `passed` is not called. */
  end(): void
}

/** @param passed Called once each time it passes. Setting the clock of the machine has no effect. */
export function createDeadline(passed: () => void): Deadline {
  let until = 0
  let timer: NodeJS.Timeout | undefined
  return {
    extend(next) {
      until = next
      clearTimeout(timer)
      timer = setTimeout(passed, Math.max(0, until - performance.now())).unref()
    },
    rest: () => Math.max(0, until - performance.now()),
    holds: () => performance.now() < until,
    end() {
      clearTimeout(timer)
      until = 0
    },
  }
}
