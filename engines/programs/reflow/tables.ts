import type { Grid } from './grid.ts'
import { fromRight, type Line, linesOf, textOf } from './lines.ts'
import { around, type Box, type Cell, type Paragraph, type Stroke, type Table, width } from './model.ts'
import { isRtl } from './pages.ts'
import { paragraphsOf } from './paragraphs.ts'
import type { Rule, Rules } from './rules.ts'
import type { Breaks } from './spans.ts'
import { turnedWords } from './turning.ts'

/** A table of the document out of a grid. Columns and rows without text and cells of their own are left out. */
export function tableOf(grid: Grid, ruled: boolean, breaks: Breaks, rules: Rules, area: Box = grid.box): Table {
  const { xs, ys } = grid
  const rtl = isRtl(grid.cells.flatMap(({ words }) => words.map(({ text }) => text)).join(''))
  const cells = grid.cells.map((cell) => {
    const [left, right] = ruled ? [xs[cell.columns[0]]!, xs[cell.columns[1]]!] : textIn(grid, cell)
    const box = [left, ys[cell.rows[0]]!, right, ys[cell.rows[1]]!] as const
    const lines = linesOf(cell.words.filter(({ turn }) => Math.abs(turn) !== 90)).map((line) =>
      rtl && !/\p{L}/u.test(textOf(line)) ? { ...line, words: fromRight(line.words) } : line,
    )
    const vertical = ruled ? verticalOf(lines, box) : undefined
    const turned = ([90, -90] as const).flatMap((turn) => turnedParagraphs(cell, box, turn, breaks))
    return { ...cell, vertical, paragraphs: [...paragraphsOf(lines, box, breaks, true), ...turned] }
  })
  align(cells, xs)
  const columns = wanted(xs.length - 1, cells, 'columns')
  const rows = wanted(ys.length - 1, cells, 'rows')
  const at = (list: readonly number[], place: number) => list.filter((one) => one < place).length
  const table: Cell[][] = rows.map(() => [])
  for (const { paragraphs, fill, vertical, ...place } of cells) {
    const [from, to] = place.columns
    const [top, bottom] = place.rows
    const column = rtl ? columns.length - at(columns, to) : at(columns, from)
    const row = at(rows, top)
    const wide = at(columns, to) - at(columns, from)
    const high = at(rows, bottom) - row
    const look = { ...(fill && { fill }), ...(vertical && { vertical }) }
    if (wide > 0 && high > 0) table[row]!.push({ column, columns: wide, rows: high, paragraphs, ...look })
  }
  for (const row of table) row.sort((a, b) => a.column - b.column)
  const widths = columns.map((column, index) => (xs[columns[index + 1] ?? xs.length - 1] ?? 0) - xs[column]!)
  if (rtl) widths.reverse()
  const heights = rows.map((row, index) => (ys[rows[index + 1] ?? ys.length - 1] ?? 0) - ys[row]!)
  const tops = [...rows.map((row) => ys[row]!), ys.at(-1)!]
  const { across, border } = drawnIn(rules, grid.box)
  const lines = tops.flatMap((y, row) => {
    const line = across.find(({ at, from, to }) => Math.abs(at - y) < 4 && to - from > 0.5 * width(grid.box))
    return line?.stroke ? [{ row, ...line.stroke }] : []
  })
  const before = grid.box[0] - area[0]
  const after = area[2] - grid.box[2]
  return {
    kind: 'table',
    widths,
    rows: table,
    header: headerOf(table),
    ruled,
    ...(ruled && border && { border }),
    ...(rtl && { rtl }),
    lines,
    heights,
    box: grid.box,
    left: Math.max(0, rtl ? after : before),
    centred: before > 12 && Math.abs(before - after) < 6,
  }
}

/** The text of a cell that runs down (`turn` is 90) or up (-90), where it stands on the page. */
function turnedParagraphs({ words }: Grid['cells'][number], cell: Box, turn: 90 | -90, breaks: Breaks): Paragraph[] {
  const own = words.filter((word) => word.turn === turn)
  const box = own.length > 0 ? around(own.map(({ box }) => box)) : cell
  const level = linesOf(turnedWords(own, cell, turn))
  const room = [0, 0, cell[3] - cell[1], cell[2] - cell[0]] as const
  return paragraphsOf(level, room, breaks, true).map((one) => ({ ...one, box }))
}

/** From where to where the text of the columns of a cell reaches: without lines, nobody knows how wide they are. */
function textIn({ cells, xs }: Grid, { columns: [from, to] }: Grid['cells'][number]): [number, number] {
  const own = cells.filter(({ columns }) => columns[0] >= from && columns[1] <= to).flatMap(({ words }) => words)
  if (own.length === 0) return [xs[from]!, xs[to]!]
  const [left, , right] = around(own.map(({ box }) => box))
  return [left - 3, right + 3]
}

/** Where the text of a cell stands; undefined for its middle. */
function verticalOf(lines: readonly Line[], [, top, , bottom]: Box): Cell['vertical'] {
  const above = (lines[0]?.box[1] ?? top) - top
  const below = bottom - (lines.at(-1)?.box[3] ?? bottom)
  if (lines.length === 0 || Math.abs(above - below) < 4) return undefined
  return above < below ? 'top' : 'bottom'
}

/** The lines that are drawn within a box: those across, and the look of most. */
function drawnIn({ across, down }: Rules, [x0, y0, x1, y1]: Box) {
  const inside = (rules: readonly Rule[], low: number, high: number, from: number, to: number) =>
    rules.filter((rule) => rule.at > low - 3 && rule.at < high + 3 && rule.from < to - 3 && rule.to > from + 3)
  const rows = inside(across, y0, y1, x0, x1)
  const strokes = [...rows, ...inside(down, x0, x1, y0, y1)].flatMap(({ stroke }) => stroke ?? [])
  const count = new Map<string, number>()
  const key = ({ width, colour }: Stroke) => `${Math.round(width * 4)} ${colour}`
  for (const stroke of strokes) count.set(key(stroke), (count.get(key(stroke)) ?? 0) + 1)
  return { across: rows, border: strokes.toSorted((a, b) => count.get(key(b))! - count.get(key(a))!)[0] }
}

/** Aligns the paragraphs of each column as most of its cells are. */
function align(cells: readonly (Grid['cells'][number] & { paragraphs: Paragraph[] })[], xs: readonly number[]): void {
  for (let column = 0; column < xs.length - 1; column++) {
    const own = cells.filter(({ columns: [from, to] }) => from === column && to === column + 1)
    const below = own.flatMap(({ paragraphs, rows }) => (rows[0] > 0 ? paragraphs.map(({ box }) => box) : []))
    if (below.length < 2) continue
    // Texts of one width look the same in every alignment; then the head of the column tells.
    const isEqual = below.every((box) => Math.abs(width(box) - width(below[0]!)) < 2)
    const boxes = isEqual ? own.flatMap(({ paragraphs }) => paragraphs.map(({ box }) => box)) : below
    const spread = (place: (box: Box) => number) => {
      const values = boxes.map(place)
      return Math.max(...values) - Math.min(...values)
    }
    const left = spread((box) => box[0])
    const right = spread((box) => box[2])
    const centre = spread((box) => (box[0] + box[2]) / 2)
    const best = left <= 2 || left <= Math.min(right, centre) ? 'left' : right <= centre + 1 ? 'right' : 'center'
    for (const { paragraphs, rows } of own)
      if (rows[0] > 0 || best !== 'left') for (const one of paragraphs) if (!one.rtl) one.align = best
  }
}

/** Columns or rows that a cell begins in and that have text in a cell of their own. */
function wanted(count: number, cells: Grid['cells'], side: 'columns' | 'rows'): number[] {
  const every = Array.from({ length: count }, (_, index) => index)
  const begins = new Set(cells.map((cell) => cell[side][0]))
  const ends = new Set(cells.map((cell) => cell[side][1]))
  return every.filter((index) => {
    const own = cells.filter(({ [side]: [from, to] }) => from <= index && to > index)
    const sliver = own.every(({ words }) => words.length === 0) && count > 2 && !begins.has(index + 1)
    return (begins.has(index) || ends.has(index + 1)) && !sliver
  })
}

/** Whether all text of a cell is bold. */
export const isHead = (cell: Cell) =>
  cell.paragraphs.length > 0 &&
  cell.paragraphs.every(({ spans }) => spans.every(({ bold, text }) => bold || !text.trim()))

/** Rows at the top whose text is bold, or on a colour that the rows below are not on. */
function headerOf(rows: readonly Cell[][]): number {
  const filled = (row: readonly Cell[]) => row.filter(({ paragraphs }) => paragraphs.length > 0)
  const head = (row: readonly Cell[]) => filled(row).length > 0 && filled(row).every(isHead)
  let count = 0
  while (count < rows.length - 1 && count < 4 && head(rows[count]!)) count++
  if (count > 0 && head(rows[count]!)) return 1
  if (count > 0) {
    const heights = rows.slice(0, count).flatMap((row) => row.map(({ rows }) => rows))
    return Math.min(rows.length - 1, Math.max(count, ...heights))
  }
  const fills = rows
    .slice(0, 3)
    .map((row) => (row.length > 1 && row.every(({ fill }) => fill) ? row[0]!.fill : undefined))
  return rows.length > 2 && fills[0] && fills.slice(1).every((fill) => fill !== fills[0]) && fills[2] === undefined
    ? 1
    : 0
}
