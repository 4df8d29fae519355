import { type Box, type Drawn, height, type Page, width } from './model.ts'
import { places, type Rule, rulesOf } from './rules.ts'

/** Filled boxes as high as rows; boxes beside each other are one. */
export function rowBoxes(boxes: readonly Drawn[], body: number): Box[] {
  const rows: Box[] = []
  const high = boxes.filter((box) => box[4] !== '#ffffff' && height(box) > 0.8 * body && height(box) < 8 * body)
  for (const box of high.toSorted((a, b) => a[1] - b[1] || a[0] - b[0])) {
    const [x0, y0, x1, y1] = box
    const beside = rows.findIndex((row) => Math.abs(row[1] - y0) < 2 && Math.abs(row[3] - y1) < 2 && x0 - row[2] < 4)
    if (beside < 0) rows.push([x0, y0, x1, y1])
    else rows[beside] = [Math.min(rows[beside]![0], x0), y0, Math.max(rows[beside]![2], x1), y1]
  }
  return rows.filter((row) => width(row) > 8 * body)
}

/** Lines across a page, and the upper and lower edges of rows on colours. */
export const stripsOf = (page: Page, body: number): Rule[] => [
  ...rulesOf(page).across,
  ...rowBoxes(page.boxes, body).flatMap(([from, top, to, bottom]) => [
    { at: top, from, to },
    { at: bottom, from, to },
  ]),
]

/** Where strips run along at least half of a part of a page, from top to bottom. */
export const marksIn = (strips: readonly Rule[], [x0, y0, x1, y1]: Box): number[] =>
  places(
    strips
      .filter(({ at, from, to }) => at > y0 && at < y1 && Math.min(to, x1) - Math.max(from, x0) > 0.5 * (x1 - x0))
      .map(({ at }) => at),
    2,
  )
