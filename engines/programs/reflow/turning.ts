import type { Box, Page, Word } from './model.ts'

/** A page turned against its text, which runs down (`turn` is 90) or up (-90), so that it runs from left to right. */
export function turnedPage(page: Page, turn: 90 | -90): Page {
  const [x0, y0, x1, y1] = page.bounds
  const turned = <T extends readonly (number | string)[]>(box: T): T => {
    const [a, b, c, d] = box as unknown as Box
    const moved = turn === -90 ? [y1 - d, a - x0, y1 - b, c - x0] : [b - y0, x1 - c, d - y0, x1 - a]
    return [...moved, ...box.slice(4)] as unknown as T
  }
  const base = (word: Word) => (turn === -90 ? word.base - x0 : x1 - word.base)
  const moved = <T extends { box: Box }>(one: T): T => ({ ...one, box: turned(one.box) })
  return {
    ...page,
    bounds: [0, 0, y1 - y0, x1 - x0],
    words: page.words.map((word) => ({
      ...moved(word),
      base: word.turn === turn ? base(word) : turned(word.box)[3],
      turn: word.turn - turn,
    })),
    rules: page.rules.map(turned),
    boxes: page.boxes.map(turned),
    dots: page.dots.map(turned),
    figures: page.figures.map(moved),
    pictures: page.pictures.map(moved),
    links: page.links.map(moved),
  }
}
