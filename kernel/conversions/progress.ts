/** Milliseconds between two writes of a conversion's progress. */
const INTERVAL = 500

/**
 * Makes a function that takes the fraction done, 0 to 1, and writes it as a percentage of at most 99: only when it has
 * grown, and not too often. A second attempt starts from what the client saw last.
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
