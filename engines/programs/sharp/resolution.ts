/** Pixels per inch across and down, of the pixels as they are stored. */
export interface Resolution {
  x: number
  y: number
}

/** Of pictures that tell none: the pixels of CSS, and of most programs. */
export const usual = 96

/**
 * Pixels per inch that a picture can plausibly have. Many programs write one pixel per millimetre if they know none.
 */
const MIN = 25.5
const MAX = 9600

/** A resolution, if it is plausible. */
export function resolution(x: number, y: number): Resolution | undefined {
  const known = [x, y].every((dots) => dots >= MIN && dots <= MAX)
  return known ? { x, y } : undefined
}
