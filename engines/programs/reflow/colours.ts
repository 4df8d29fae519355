/** Whether light text can be read on a colour, `#rrggbb`. */
export function isDark(fill: string | undefined): boolean {
  if (fill === undefined) return false
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(fill.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ]
  return 0.3 * red + 0.59 * green + 0.11 * blue < 160
}

/**
 * A colour that can be read: text that is nearly white was on a dark area of the page, which flowing text does not
 * have.
 */
export function visible(colour: number, onDark: boolean): number {
  const least = Math.min(colour >> 16, (colour >> 8) & 255, colour & 255)
  return least > 200 && !onDark ? 0 : colour
}
