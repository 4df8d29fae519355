/** Numbers from 0 to below 1 that a seed decides (mulberry32), so that what went wrong can be done again. */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The seed of a run: that of the environment, or a new one. */
export const seed = Number(process.env.ATHANOR_SEED ?? Date.now() % 2 ** 31)
