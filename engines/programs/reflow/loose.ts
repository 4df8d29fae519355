import { gapOf, spread } from './aligned.ts'
import { cellParts, looseGrid } from './columns.ts'
import { fill, type Grid, overlap } from './grid.ts'
import { type Line, linesOf } from './lines.ts'
import { around, type Box, height, middleOf, type Page } from './model.ts'
import { type Rule, rulesOf } from './rules.ts'
import { marksIn, rowBoxes, stripsOf } from './strips.ts'

/** The lines of the words between two places from left to right. */
const linesBetween = ({ words }: Page, left: number, right: number) =>
  linesOf(words.filter(({ box }) => box[0] + box[2] > 2 * left && box[0] + box[2] < 2 * right))

/** The table in a part of a page, with those of the lines above and below that have its columns. */
function gridIn(lines: readonly Line[], box: Box, body: number, strips: readonly Rule[]): Grid | undefined {
  const inside = lines.filter((line) => middleOf(line) > box[1] && middleOf(line) < box[3])
  if (inside.length === 0) return undefined
  const gap = Math.min(0.8 * body, gapOf(inside))
  const from = lines.indexOf(inside[0]!)
  const own = spread(lines, from, from + inside.length, gap)
  const grid = looseGrid(own, gap, marksIn(strips, [box[0], own[0]!.box[1] - body, box[2], own.at(-1)!.box[3] + body]))
  if (!grid) return undefined
  const [x0, y0, x1, y1] = grid.box
  return { ...grid, box: [Math.min(x0, box[0]), Math.min(y0, box[1]), Math.max(x1, box[2]), Math.max(y1, box[3])] }
}

/** Most lines of one width that may be those of several tables: a table with a line below each row has more. */
const FEW = 12

const filled = ({ cells }: Grid) => cells.filter(({ words }) => words.length > 0).length

/** Tables with lines between rows only. */
export function bookGrids(page: Page, body: number, taken: readonly Grid[]): Grid[] {
  const rules = rulesOf(page).across.filter(
    ({ at, from, to }) => to - from > 5 * body && !taken.some(({ box }) => overlap(box, [from, at - 3, to, at + 3])),
  )
  const strips = stripsOf(page, body)
  const lines = linesOf(page.words)
  /** Whether there is text between two lines that has no cells. */
  const isText = (above: Rule, below: Rule) => {
    const between = lines.filter(({ base }) => base > above.at && base < below.at)
    return between.length > 2 && between.every((line) => cellParts(line, 0.8 * body).length === 1)
  }
  const found: Grid[] = []
  const used = new Set<Rule>()
  for (const rule of rules) {
    if (used.has(rule)) continue
    const alike = rules
      .filter(({ at, from, to }) => at >= rule.at && Math.abs(from - rule.from) < 4 && Math.abs(to - rule.to) < 4)
      .slice(0, 80)
    if (!alike[1] || isText(rule, alike[1])) continue
    const own = linesBetween(page, rule.from - 1, rule.to + 1)
    let best: { grid: Grid; some: Rule[] } | undefined
    for (let last = alike.length - 1; last > 0 && (!best || alike.length <= FEW); last--) {
      if (isText(alike[last - 1]!, alike[last]!)) continue
      const some = alike.slice(0, last + 1)
      const box: Box = [rule.from - 1, rule.at, rule.to + 1, some.at(-1)!.at]
      const grid = gridIn(own, box, body, strips)
      if (!grid || (height(box) > 0.8 * height(page.bounds) && some.length < 4)) continue
      const isMore = !best || filled(grid) > filled(best.grid)
      if (isMore && !found.some((other) => overlap(other.box, grid.box))) best = { grid, some }
    }
    if (best) found.push(best.grid)
    for (const one of best?.some ?? []) used.add(one)
  }
  return found
}

/** Filled boxes of one width below each other, with at most `reach` points between them. */
function stacks(boxes: readonly Box[], reach: (box: Box) => number): Box[][] {
  const found: Box[][] = []
  for (const box of boxes) {
    const stack = found.find(([first, ...more]) => {
      const last = more.at(-1) ?? first!
      return Math.abs(box[0] - first![0]) < 4 && Math.abs(box[2] - first![2]) < 4 && box[1] - last[3] < reach(last)
    })
    if (stack) stack.push(box)
    else found.push([box])
  }
  return found.filter((stack) => stack.length > 1)
}

/** Tables with every row, or every second one, on a colour. Rows of several lines may be between those on a colour. */
export function shadedGrids(page: Page, body: number, taken: readonly Grid[]): Grid[] {
  const boxes = rowBoxes(page.boxes, body)
  const strips = stripsOf(page, body)
  const found: Grid[] = []
  for (const reach of [() => 9 * body, (box: Box) => 2.5 * height(box) + 2]) {
    const free = boxes.filter((box) => ![...taken, ...found].some((grid) => overlap(grid.box, box)))
    for (const stack of stacks(free, reach)) {
      const box = around(stack)
      const grid = gridIn(linesBetween(page, box[0], box[2]), box, body, strips)
      if (!grid || found.some((other) => overlap(other.box, grid.box))) continue
      fill(grid, [], page.boxes)
      found.push(grid)
    }
  }
  return found
}
