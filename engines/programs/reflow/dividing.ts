import { gapOf } from './aligned.ts'
import { columnsOf } from './columns.ts'
import type { Grid } from './grid.ts'
import { type Line, linesOf, parts } from './lines.ts'
import { middleOf, type Word } from './model.ts'
import { rowsOf } from './rows.ts'
import { places } from './rules.ts'

type Cell = Grid['cells'][number]

/** Text without digits that stands for a figure: a dash, or a letter in brackets. */
const STAND_IN = /^(?:[-–—−*.… ]+|\(\p{L}\))$/u
/** Least part of the lines that are rows. */
const MOST = 0.8

/** Whether the text of a line in a cell is a figure, or ends with one after a wide gap. */
function isFigure(words: readonly Word[]): boolean {
  const last = linesOf(words)
    .flatMap((line) => parts(line, 0.8 * line.size))
    .at(-1)
  const text = last?.map(({ text }) => text).join(' ') ?? ''
  return (/\d/.test(text) && !/\p{L}/u.test(text)) || STAND_IN.test(text)
}

const isLevel = ({ turn }: Word) => turn === 0

/** Whether the words of a cell are parted at a place in each of its lines. Those beside turned ones count as one. */
function isParted(words: readonly Word[], x: number): boolean {
  if (words.some(({ box }) => box[0] < x - 1 && box[2] > x + 1)) return false
  const lines = words.every(isLevel) ? linesOf(words) : [{ words, size: words[0]!.size }]
  const gaps = lines.flatMap((line) => {
    const before = line.words.filter(({ box }) => box[2] <= x + 1).map(({ box }) => box[2])
    const after = line.words.filter(({ box }) => box[2] > x + 1).map(({ box }) => box[0])
    return before.length > 0 && after.length > 0 ? [(Math.min(...after) - Math.max(...before)) / line.size] : []
  })
  return gaps.length > 0 && gaps.every((gap) => gap > 0.8)
}

/** A cell over several columns, as one for each part of its text. */
function acrossColumns(cell: Cell, xs: readonly number[]): Cell[] {
  const [from, to] = cell.columns
  const inner = xs.slice(from + 1, to)
  const begins = [from, ...inner.flatMap((x, index) => (isParted(cell.words, x) ? [from + 1 + index] : []))]
  return begins.map((begin, index): Cell => {
    const end = begins[index + 1] ?? to
    const low = index === 0 ? Number.NEGATIVE_INFINITY : xs[begin]!
    const high = end === to ? Number.POSITIVE_INFINITY : xs[end]!
    const words = cell.words.filter(({ box }) => box[0] + box[2] >= 2 * low && box[0] + box[2] < 2 * high)
    return { ...cell, columns: [begin, end], words }
  })
}

/**
 * Where the rows within cells beside each other end that no line parts: most lines with text in other cells than the
 * first have it there too, and figures in one column.
 */
function endsIn(band: readonly Cell[], xs: readonly number[]): number[] {
  const lines = linesOf(band.flatMap(({ words }) => words.filter(isLevel)))
  const rows = lines.map(({ words }) => band.map((cell) => words.filter((word) => cell.words.includes(word))))
  const filled = rows.filter((row) => row.slice(1).some((words) => words.length > 0))
  const most = (is: (row: Word[][]) => boolean) => filled.filter(is).length >= MOST * filled.length
  const isShort = filled.length < (filled.length < MOST * rows.length ? 3 : 2)
  if (isShort || !most(([first]) => first!.length > 0)) return []
  if (!band.some((_, index) => most((row) => isFigure(row[index]!)))) return []
  return rowsOf(lines, xs, [])
    .slice(0, -1)
    .map(({ bottom }) => bottom)
}

/** A cell beside many rows, whose lines stand beside one of these each, as one for each row. */
function besideRows(cell: Cell, ys: readonly number[]): Cell[] {
  const [from, to] = cell.rows
  const rowOf = (one: Line | Word) => ys.findLastIndex((y) => y <= middleOf(one))
  const lines = linesOf(cell.words.filter(isLevel))
  const isOneEach = new Set(lines.map(rowOf)).size === lines.length && lines.length >= MOST * (to - from)
  if (to - from < 4 || !isOneEach) return [cell]
  return Array.from({ length: to - from }, (_, index): Cell => {
    const rows: Cell['rows'] = [from + index, from + index + 1]
    return { ...cell, rows, words: cell.words.filter((word) => rowOf(word) === from + index) }
  })
}

/** Where columns begin within a column of figures. */
function beginsIn(cells: readonly Cell[]): number[] {
  const lines = cells.flatMap(({ words }) => linesOf(words))
  if (lines.length < 3) return []
  const columns = columnsOf(lines, Math.max(gapOf(lines), 0.8 * lines[0]!.size))
  return columns.slice(1).map(([from], index) => (columns[index]![1] + from) / 2)
}

/** The number of the place nearest to another. */
const nearest = (list: readonly number[], place: number) =>
  list.reduce((best, one, index) => (Math.abs(one - place) < Math.abs(list[best]! - place) ? index : best), 0)

/** A table in which some lines are drawn only, with the rows and columns that its text shows. */
export function divided(grid: Grid): Grid {
  const first = grid.cells.flatMap((cell) => besideRows(cell, grid.ys)).flatMap((cell) => acrossColumns(cell, grid.xs))
  const bands = Map.groupBy(first, ({ rows }) => rows.join())
  const ends = new Map([...bands].map(([rows, band]) => [rows, endsIn(band, grid.xs)]))
  const tall = first.filter(({ rows, columns }) => ends.get(rows.join())!.length > 0 && columns[1] - columns[0] === 1)
  const begins = [...Map.groupBy(tall, ({ columns }) => columns[0]).values()].flatMap(beginsIn)
  const ys = places([...grid.ys, ...[...ends.values()].flat()], 1)
  const xs = places([...grid.xs, ...begins], 1)
  const cells = first.flatMap((cell): Cell[] => {
    const bounds = [grid.ys[cell.rows[0]]!, ...ends.get(cell.rows.join())!, grid.ys[cell.rows[1]]!]
    const columns = cell.columns.map((at) => nearest(xs, grid.xs[at]!)) as Cell['columns']
    return bounds.slice(1).flatMap((bottom, index) => {
      const inside = (word: Word) => middleOf(word) >= bounds[index]! && middleOf(word) < bottom
      const words = bounds.length === 2 ? cell.words : cell.words.filter(inside)
      const rows: Cell['rows'] = [nearest(ys, bounds[index]!), nearest(ys, bottom)]
      return acrossColumns({ ...cell, columns, rows, words }, xs)
    })
  })
  return { ...grid, xs, ys, cells }
}
