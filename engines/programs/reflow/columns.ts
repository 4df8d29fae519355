import type { Grid } from './grid.ts'
import { type Line, parts, textOf } from './lines.ts'
import { around, type Box, type Word } from './model.ts'

/** Lines of a row, and where it begins and ends. */
export interface Row {
  lines: Line[]
  top: number
  bottom: number
}

/** Words of a line that no gap parts. */
export interface Part {
  box: Box
  words: Word[]
}

export const partsOf = (lines: readonly Line[], gap: number): Part[] =>
  lines.flatMap((line) => parts(line, gap)).map((words) => ({ words, box: around(words.map(({ box }) => box)) }))

/** Where columns are: the ranges that parts of lines cover. */
export function ranges(found: readonly Part[]): [number, number][] {
  const result: [number, number][] = []
  for (const { box } of found.toSorted((a, b) => a.box[0] - b.box[0])) {
    const last = result.at(-1)
    if (last && box[0] <= last[1] + 1) last[1] = Math.max(last[1], box[2])
    else result.push([box[0], box[2]])
  }
  return result
}

/** The columns of rows. Headings over several columns, in the first rows, do not join these. */
function columnsOf(rows: readonly Row[], gap: number): [number, number][] {
  const found = [0, 1, 2]
    .filter((skipped) => rows.length - skipped > 1)
    .map((skipped) => {
      const lines = rows.slice(skipped).flatMap((row) => row.lines)
      return ranges(partsOf(lines, gap).filter((_, index, all) => all.length > 1 || index < 0))
    })
  return found.toSorted((a, b) => b.length - a.length)[0] ?? []
}

/** Whether parts read like prose in columns and not like cells. */
function prose(columns: readonly [number, number][], rows: readonly Row[], gap: number): boolean {
  const long = columns.filter(([x0, x1]) => {
    const texts = rows
      .flatMap(({ lines }) => partsOf(lines, gap))
      .filter(({ box }) => box[0] >= x0 - 1 && box[2] <= x1 + 1)
      .map(({ words }) => words.map(({ text }) => text).join(' ').length)
    return texts.length > 5 && texts.reduce((sum, length) => sum + length, 0) / texts.length > 28
  })
  return long.length > 1
}

/**
 * A table whose columns are separated by white space alone.
 *
 * @param gap least width of the space between two columns, in points
 * @returns undefined if there are not two columns in two rows
 */
export function looseGrid(rows: readonly Row[], gap: number): Grid | undefined {
  const columns = columnsOf(rows, gap)
  if (columns.length < 2 || rows.length < 2 || columns.length > 60) return undefined
  const several = rows.filter(({ lines }) => partsOf(lines, gap).length > 1)
  if (several.length < Math.max(2, 0.6 * rows.length) || prose(columns, rows, gap)) return undefined
  if (several.some(({ lines }) => lines.some((line) => /(\. ?){5,}/.test(textOf(line))))) return undefined
  const xs = [
    columns[0]![0] - 2,
    ...columns.slice(1).map(([x0], index) => (columns[index]![1] + x0) / 2),
    columns.at(-1)![1] + 2,
  ]
  const ys = [rows[0]!.top, ...rows.map(({ bottom }) => bottom)]
  const cells = rows.flatMap(({ lines }, row) => cellsOf(partsOf(lines, gap), xs, row))
  return { xs, ys, cells, box: [xs[0]!, ys[0]!, xs.at(-1)!, ys.at(-1)!] }
}

/** The cells of a row. A part that reaches over several columns is a cell over these. */
function cellsOf(found: readonly Part[], xs: readonly number[], row: number): Grid['cells'] {
  const spans: { from: number; to: number; words: Word[] }[] = []
  for (const { box, words } of found) {
    const last = xs.length - 2
    let from = Math.min(
      last,
      Math.max(
        0,
        xs.findLastIndex((x) => x <= box[0] + 1),
      ),
    )
    let to = Math.min(
      last,
      Math.max(
        from,
        xs.findLastIndex((x) => x < box[2] - 1),
      ),
    )
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

/** Rows out of lines: a line without text in the first column goes on with the row above. */
export function rowsOf(lines: readonly Line[], gap: number): Row[] {
  const rows: Row[] = []
  const left = Math.min(...lines.map(({ box }) => box[0]))
  const whole = Math.max(...lines.map((line) => parts(line, gap).length))
  for (const line of lines) {
    const above = rows.at(-1)
    const close = above && line.box[1] - above.bottom < 0.5 * line.size
    const fewer = parts(line, gap).length < whole
    if (close && fewer && line.box[0] > left + 2 * line.size && above.lines[0]!.box[0] < left + line.size) {
      above.lines.push(line)
      above.bottom = line.box[3]
    } else rows.push({ lines: [line], top: line.box[1], bottom: line.box[3] })
  }
  return rows
}
