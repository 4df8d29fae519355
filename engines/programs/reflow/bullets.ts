import { type Box, centred, height, type Word, width } from './model.ts'

/** Adds bullets that are drawn as shapes as words: small shapes in front of a line, with nothing before them. */
export function bulleted(words: readonly Word[], dots: readonly Box[]): Word[] {
  // Some programs fill a bullet and draw its edge.
  const once = dots.filter((dot, index) => !dots.slice(0, index).some((other) => centred(dot, other)))
  const bullets = once.flatMap((dot): Word[] => {
    const middle = (dot[1] + dot[3]) / 2
    const beside = words.filter(
      ({ box, base, size, turn }) =>
        turn === 0 &&
        middle < base &&
        middle > base - 0.75 * size &&
        width(dot) < 0.6 * size &&
        height(dot) < 0.6 * size &&
        box[2] > dot[0] - 2 * size &&
        box[0] < dot[2] + 2.5 * size,
    )
    const first = beside.toSorted((a, b) => a.box[0] - b.box[0])[0]
    if (!first || first.box[0] < dot[2]) return []
    const { base, size, font, colour, turn } = first
    return [{ text: '•', box: dot, base, size, font, colour, turn, spaced: true }]
  })
  return bullets.length > 0 ? [...words, ...bullets] : [...words]
}
