import { around, type Box, type Drawn, middleOf, type Page, type Word, width } from './model.ts'
import { groups, NEAR, places, type Rule, type Rules, rulesOf } from './rules.ts'

/** A table as places of its lines, and the cells between them. */
export interface Grid {
  xs: number[]
  ys: number[]
  /** Columns and rows that a cell covers: from, inclusive, to, exclusive. */
  cells: { columns: [number, number]; rows: [number, number]; words: Word[]; fill?: string }[]
  box: Box
}

/** Most cells of a table: a drawing has more. */
const MAX_CELLS = 20_000

/** Whether lines at `at` run along the whole way from `from` to `to`. */
const covered = (rules: readonly Rule[], at: number, from: number, to: number) =>
  rules.some((rule) => Math.abs(rule.at - at) <= NEAR && rule.from <= from + NEAR && rule.to >= to - NEAR)

/** The cells between lines. Cells without a line between them are one, if they fill a rectangle. */
function cellsOf(xs: readonly number[], ys: readonly number[], { across, down }: Rules): Grid['cells'] | undefined {
  const wide = xs.length - 1
  const high = ys.length - 1
  const taken = new Set<number>()
  const cells: Grid['cells'] = []
  const open = (rules: readonly Rule[], at: number, from: number, to: number) => !covered(rules, at, from, to)
  for (let row = 0; row < high; row++)
    for (let column = 0; column < wide; column++) {
      if (taken.has(row * wide + column)) continue
      let right = column + 1
      let bottom = row + 1
      while (right < wide && !taken.has(row * wide + right) && open(down, xs[right]!, ys[row]!, ys[row + 1]!)) right++
      const free = () => {
        for (let x = column; x < right; x++) {
          if (!open(across, ys[bottom]!, xs[x]!, xs[x + 1]!)) return false
          if (x > column && !open(down, xs[x]!, ys[bottom]!, ys[bottom + 1]!)) return false
        }
        return true
      }
      while (bottom < high && free()) bottom++
      for (let y = row; y < bottom; y++) for (let x = column; x < right; x++) taken.add(y * wide + x)
      cells.push({ columns: [column, right], rows: [row, bottom], words: [] })
    }
  return cells
}

/** Puts each word into the cell that contains its middle. Returns those of no cell. */
export function fill(grid: Grid, words: readonly Word[], boxes: readonly Drawn[]): Word[] {
  const spans = grid.cells.map(
    ({ columns, rows }): Box => [grid.xs[columns[0]]!, grid.ys[rows[0]]!, grid.xs[columns[1]]!, grid.ys[rows[1]]!],
  )
  const rest: Word[] = []
  for (const word of words) {
    const x = (word.box[0] + word.box[2]) / 2
    const y = middleOf(word)
    const index = spans.findIndex(([x0, y0, x1, y1]) => x >= x0 && x <= x1 && y >= y0 && y <= y1)
    if (index < 0) rest.push(word)
    else grid.cells[index]!.words.push(word)
  }
  grid.cells.forEach((cell, index) => {
    const [x0, y0, x1, y1] = spans[index]!
    const x = (x0 + x1) / 2
    const y = (y0 + y1) / 2
    const under = boxes.findLast((box) => x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3])
    if (under && under[4] !== '#ffffff') cell.fill = under[4]
  })
  return rest
}

/** A table out of lines that cross; undefined if they are something else: a frame, an axis, a form's field. */
export function gridOf(rules: Rules, page: Page, body: number): Grid | undefined {
  const { across, down } = rules
  if (across.length < 2 || across.length + down.length < 4) return undefined
  const left = Math.min(...across.map(({ from }) => from))
  const right = Math.max(...across.map(({ to }) => to))
  const top = Math.min(...across.map(({ at }) => at))
  const bottom = Math.max(...across.map(({ at }) => at))
  if (right - left < 3 * body || bottom - top < 1.2 * body) return undefined
  // Open sides count as lines.
  const xs = places([left, ...down.map(({ at }) => at), right])
  const ys = places([top, ...across.map(({ at }) => at), bottom, ...down.flatMap(({ from, to }) => [from, to])])
  if (xs.length < 2 || ys.length < 2 || (xs.length - 1) * (ys.length - 1) > MAX_CELLS) return undefined
  const cells = cellsOf(xs, ys, rules)!
  const box = around([[xs[0]!, ys[0]!, xs.at(-1)!, ys.at(-1)!]])
  const grid: Grid = { xs, ys, cells, box }
  fill(grid, page.words, page.boxes)
  return sound(grid, page) ? grid : undefined
}

/** Whether a grid is a table: several cells, most columns and rows with text, and no cell as large as the page. */
export function sound({ xs, ys, cells, box }: Grid, page: Page): boolean {
  const filled = cells.filter(({ words }) => words.length > 0)
  if (filled.length < 2 || cells.length < 3) return false
  const area = width(page.bounds) * (page.bounds[3] - page.bounds[1])
  const large = cells.some(
    ({ columns, rows, words }) =>
      words.length > 80 && (xs[columns[1]]! - xs[columns[0]]!) * (ys[rows[1]]! - ys[rows[0]]!) > 0.35 * area,
  )
  if (large || width(box) < 20) return false
  // The lines of a chart have few words between them.
  return filled.length >= 0.15 * cells.length
}

/** The tables of a page that lines are drawn around, from the smallest on. */
export function ruledGrids(page: Page, body: number): Grid[] {
  const found: Grid[] = []
  for (const sides of [false, true]) {
    const rules = rulesOf(page, sides)
    if (rules.across.length + rules.down.length > 4000) continue
    for (const group of groups(rules)) {
      if (group.down.length < (sides ? 3 : 1)) continue
      const grid = gridOf(group, page, body)
      // One row of filled boxes is a part of a table with every second row on a colour.
      const single =
        sides && new Set(grid?.cells.filter(({ words }) => words.length > 0).map(({ rows }) => rows[0])).size < 2
      if (grid && !single && !found.some(({ box }) => overlap(box, grid.box))) found.push(grid)
    }
  }
  return found
}

/** Whether two boxes have an area in common. */
export const overlap = (a: Box, b: Box) =>
  Math.min(a[2], b[2]) - Math.max(a[0], b[0]) > 2 && Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 2
