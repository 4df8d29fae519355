/** @param passed Called once each time it passes. Setting the clock of the machine has no effect. */
export function createDeadline(passed: () => void) {
  let until = 0
  let timer: NodeJS.Timeout | undefined
  return {
    /** Puts it off. @param until Milliseconds of `performance.now()`. */
    extend(next: number) {
      until = next
      clearTimeout(timer)
      timer = setTimeout(passed, Math.max(0, until - performance.now())).unref()
    },
    /** Milliseconds until it passes; 0: it has passed. */
    rest: () => Math.max(0, until - performance.now()),
    /** Whether it has not passed. */
    holds: () => performance.now() < until,
    /** From now on it has passed, and `passed` is not called. */
    end() {
      clearTimeout(timer)
      until = 0
    },
  }
}
