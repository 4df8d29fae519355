import type { Grid } from './grid.ts'
import { type Line, parts } from './lines.ts'
import { around, type Box, type Word } from './model.ts'
import { type Row, rowsOf } from './rows.ts'

/** Words of a line that no gap parts. */
export interface Part {
  box: Box
  words: Word[]
}

/** From where to where something reaches from left to right. */
export type Range = readonly [from: number, to: number]

export const partsOf = (lines: readonly Line[], gap: number): Part[] =>
  lines.flatMap((line) => parts(line, gap)).map((words) => ({ words, box: around(words.map(({ box }) => box)) }))

/** Adds ranges to others. Those with less than `least` points between them become one. */
export function covered(known: readonly Range[], added: readonly Range[], least: number): Range[] {
  const result: [number, number][] = []
  for (const [from, to] of [...known, ...added].toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last && from - last[1] < least) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}

/** The ranges that parts of lines cover: columns, with white rivers between them. */
export const ranges = (found: readonly Part[], least = 1): Range[] =>
  covered(
    found.map(({ box }): Range => [box[0], box[2]]),
    [],
    least,
  )

/**
 * The parts of a line that can be cells. The spaces of a justified line are wide, but about equal.
 *
 * @param gap least width of the space between two cells, in points
 */
export function cellParts(line: Line, gap: number): Part[] {
  const found = partsOf([line], gap)
  if (found.length < 4 || line.words.length < 6) return found
  const sorted = line.words.toSorted((a, b) => a.box[0] - b.box[0])
  const gaps = sorted.slice(1).map((word, index) => word.box[0] - sorted[index]!.box[2])
  const spaces = gaps.filter((width) => width > 0.1 * line.size)
  const isEven = Math.max(...spaces) < Math.min(0.9 * line.size, 1.5 * Math.min(...spaces))
  return isEven ? [{ words: line.words, box: line.box }] : found
}

/** Most lines over several columns, as a part of all. */
const FEW = 0.3

/**
 * The ranges of lines. A line that crosses the rivers between all others is a heading over columns; several below each
 * other are text between two tables, and there is no column then.
 */
function rangesOf(lines: readonly Line[], gap: number): Range[] {
  const parted = lines.map((line) => cellParts(line, gap))
  const several = parted.filter((parts) => parts.length > 1)
  const columns = ranges(several.flat(), gap)
  const under = ([one, more]: Part[]) =>
    one && !more ? columns.filter(([from, to]) => one.box[0] < to && one.box[2] > from).length : 0
  const kept = parted.filter((parts) => under(parts) < 2)
  if (kept.length < (1 - FEW) * parted.length) return ranges(parted.flat(), gap)
  const inner = parted.slice(parted.indexOf(several[0]!), parted.indexOf(several.at(-1)!))
  const isText = inner.some((parts, index) => {
    const both = [parts, inner[index + 1] ?? []].map(under)
    return Math.min(...both) > 1 && Math.max(...both) > columns.length / 2
  })
  return isText ? [] : ranges(kept.flat(), gap)
}

/** The columns of lines. Headings over several columns, in the first lines, do not join these. */
export function columnsOf(lines: readonly Line[], gap: number): Range[] {
  const found = [0, 1, 2, 3, 4, 5, 6]
    .filter((skipped) => skipped <= lines.length / 3)
    .map((skipped) => rangesOf(lines.slice(skipped), gap))
  const max = found.toSorted((a, b) => b.length - a.length)[0] ?? []
  return max
    .filter((column, index) => index === 0 || !isChance(column, lines))
    .map(([from], index, kept) => {
      const next = kept[index + 1]?.[0] ?? Number.POSITIVE_INFINITY
      return [from, Math.max(...max.filter((column) => column[0] < next).map(([, to]) => to))]
    })
}

/** Whether only one of many lines has text in a column, and the first has none: wide spaces within a cell. */
const isChance = ([from, to]: Range, lines: readonly Line[]) =>
  lines.length > 3 &&
  [lines.slice(0, 1), lines].every(
    (some, index) =>
      some.filter(({ words }) => words.some(({ box }) => box[0] >= from - 1 && box[2] <= to + 1)).length === index,
  )

/** Whether parts read like prose in columns and not like cells. */
function prose(columns: readonly Range[], lines: readonly Line[], rows: readonly Row[], gap: number): boolean {
  if (rows.length > 2 && rows.length < 0.7 * lines.length) return false
  const long = columns.filter(([x0, x1]) => {
    const texts = partsOf(lines, gap)
      .filter(({ box }) => box[0] >= x0 - 1 && box[2] <= x1 + 1)
      .map(({ words }) => words.map(({ text }) => text).join(' ').length)
    return texts.length > 5 && texts.reduce((sum, length) => sum + length, 0) / texts.length > 28
  })
  return long.length > 1
}

/** Whether two columns are a list: marks, which are alike, and texts. */
function isList(columns: readonly Range[], cells: readonly Grid['cells'][]): boolean {
  const marks = cells.map(([first]) => first?.words.map(({ text }) => text).join('') ?? '').filter(Boolean)
  return columns.length === 2 && new Set(marks).size === 1 && [...marks[0]!].length < 3
}

/**
 * A table whose columns are separated by white space alone.
 *
 * @param gap least width of the space between two columns, in points
 * @param marks places of lines and edges of colours, which separate rows
 * @returns undefined if there are not two columns in two rows
 */
export function looseGrid(lines: readonly Line[], gap: number, marks: readonly number[] = []): Grid | undefined {
  const columns = columnsOf(lines, gap)
  if (columns.length < 2 || columns.length > 60) return undefined
  const xs = [
    columns[0]![0] - 2,
    ...columns.slice(1).map(([x0], index) => (columns[index]![1] + x0) / 2),
    columns.at(-1)![1] + 2,
  ]
  const rows = rowsOf(lines, xs, marks)
  const cells = rows.map((row, index) => cellsOf(partsOf(row.lines, gap), xs, index))
  const several = cells.filter((row) => row.filter(({ words }) => words.length > 0).length > 1)
  if (several.length < Math.max(2, 0.6 * rows.length) || isList(columns, cells)) return undefined
  if (prose(columns, lines, rows, gap)) return undefined
  const ys = [rows[0]!.top, ...rows.map(({ bottom }) => bottom)]
  return { xs, ys, cells: cells.flat(), box: [xs[0]!, ys[0]!, xs.at(-1)!, ys.at(-1)!] }
}

/** The cells of a row. A part that reaches over several columns is a cell over these. */
function cellsOf(found: readonly Part[], xs: readonly number[], row: number): Grid['cells'] {
  const spans: { from: number; to: number; words: Word[] }[] = []
  const columnOf = (least: number, isBefore: (x: number) => boolean) =>
    Math.min(xs.length - 2, Math.max(least, xs.findLastIndex(isBefore)))
  for (const { box, words } of found) {
    let from = columnOf(0, (x) => x <= box[0] + 1)
    let to = columnOf(from, (x) => x < box[2] - 1)
    // Parts of several lines may overlap.
    for (const other of spans.filter((span) => span.from <= to && span.to >= from)) {
      from = Math.min(from, other.from)
      to = Math.max(to, other.to)
      words.push(...other.words)
      spans.splice(spans.indexOf(other), 1)
    }
    spans.push({ from, to, words })
  }
  const taken = (column: number) => spans.some(({ from, to }) => column >= from && column <= to)
  for (let column = 0; column < xs.length - 1; column++)
    if (!taken(column)) spans.push({ from: column, to: column, words: [] })
  return spans
    .sort((a, b) => a.from - b.from)
    .map(({ from, to, words }) => ({ columns: [from, to + 1], rows: [row, row + 1], words }))
}
