import type { Box, Page, Word } from './model.ts'

/** Turns boxes in an area whose text runs down (`turn` is 90) or up (-90), so that it runs from left to right. */
const turner =
  ([x0, y0, x1, y1]: Box, turn: 90 | -90) =>
  <T extends readonly (number | string)[]>(box: T): T => {
    const [a, b, c, d] = box as unknown as Box
    const moved = turn === -90 ? [y1 - d, a - x0, y1 - b, c - x0] : [b - y0, x1 - c, d - y0, x1 - a]
    return [...moved, ...box.slice(4)] as unknown as T
  }

/** The words of such an area, where its text runs from left to right. */
export function turnedWords(words: readonly Word[], area: Box, turn: 90 | -90): Word[] {
  const turned = turner(area, turn)
  return words.map((word) => {
    const [x, y] = turned<Box>([word.base, word.base, word.base, word.base])
    return { ...word, box: turned(word.box), base: word.turn % 180 ? y : x, turn: word.turn - turn }
  })
}

/** A page turned against its text. */
export function turnedPage(page: Page, turn: 90 | -90): Page {
  const [x0, y0, x1, y1] = page.bounds
  const turned = turner(page.bounds, turn)
  const moved = <T extends { box: Box }>(one: T): T => ({ ...one, box: turned(one.box) })
  return {
    ...page,
    bounds: [0, 0, y1 - y0, x1 - x0],
    words: turnedWords(page.words, page.bounds, turn),
    rules: page.rules.map(turned),
    boxes: page.boxes.map(turned),
    dots: page.dots.map(turned),
    figures: page.figures.map(moved),
    pictures: page.pictures.map(moved),
    links: page.links.map(moved),
  }
}
