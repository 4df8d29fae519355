/** Milliseconds between two writes of a conversion's progress. */
const INTERVAL = 500

/**
 * Returns a function that takes the fraction done, 0 to 1, and writes it as a percentage of at most 99. It writes only
 * increases, at most once every 500 ms. A second attempt starts from `shown`, the percentage that the client saw last.
 */
export function createProgress(shown: number, write: (percent: number) => void): (fraction: number) => void {
  let next = performance.now() + INTERVAL
  return (fraction) => {
    const percent = Math.min(99, Math.floor(fraction * 100))
    if (!(percent > shown) || performance.now() < next) return
    shown = percent
    next = performance.now() + INTERVAL
    write(percent)
  }
}
