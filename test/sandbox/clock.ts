import type { Test } from 'tap'

/** Replaces `performance.now()` until the end of a test. It stands still until the test changes `now`. */
export function setClock(t: Test): { now: number } {
  const clock = { now: 1_000_000 }
  const real = performance.now
  performance.now = () => clock.now
  t.teardown(() => {
    performance.now = real
  })
  return clock
}
