import { cellParts, covered, looseGrid, type Range } from './columns.ts'
import type { Grid } from './grid.ts'
import { type Line, textOf } from './lines.ts'
import { around, median } from './model.ts'
import { markOf } from './paragraphs.ts'
import type { Rule } from './rules.ts'
import { marksIn } from './strips.ts'

const LEADERS = /(\. ?){5,}/
/** Most lines of a table that are looked at together. */
const MAX_LINES = 400

/** Least width of a white river between columns, in points: wider than the spaces between words. */
export function gapOf(lines: readonly Line[]): number {
  const spaces = lines.flatMap((line) => {
    const sorted = line.words.toSorted((a, b) => a.box[0] - b.box[0])
    const gaps = sorted.slice(1).map((word, index) => word.box[0] - sorted[index]!.box[2])
    return gaps.filter((gap) => gap > 0.1 * line.size && gap < 0.7 * line.size)
  })
  const size = median(lines.map((line) => line.size))
  const usual = spaces.toSorted((a, b) => a - b)[Math.floor(0.1 * spaces.length)] ?? 0
  return Math.max(0.4 * size, Math.min(1.5 * usual, size))
}

const cellRanges = (line: Line, gap: number) => cellParts(line, gap).map(({ box }): Range => [box[0], box[2]])

/** Whether two lines are as close as rows, and neither is a heading. */
function near(above: Line, below: Line): boolean {
  const size = Math.max(above.size, below.size)
  return below.box[1] - above.box[3] < 2.2 * size && size < 1.15 * Math.min(above.size, below.size)
}

/** Whether a line can be a row of several cells. */
const cellular = (line: Line, gap: number) =>
  cellParts(line, gap).length > 1 && markOf(line) === undefined && !LEADERS.test(textOf(line))

/** Adds lines above and below that have the columns of lines. */
export function spread(lines: readonly Line[], from: number, to: number, gap: number): Line[] {
  let columns = lines.slice(from, to).reduce<Range[]>((known, line) => covered(known, cellRanges(line, gap), gap), [])
  const fits = (line: Line | undefined, beside: Line): boolean => {
    if (!line || !cellular(line, gap) || Math.abs(line.base - beside.base) > 2.6 * line.size) return false
    if (!near(line.base < beside.base ? line : beside, line.base < beside.base ? beside : line)) return false
    const wider = covered(columns, cellRanges(line, gap), gap)
    if (wider.length !== columns.length) return false
    columns = wider
    return true
  }
  /** Lines with some of the columns, as close as those of one cell. */
  const follows = (line: Line | undefined, above: Line | undefined): boolean => {
    if (!line || !above || line.base - above.base > 1.45 * line.size || Math.abs(line.size - above.size) > 0.6)
      return false
    const own = cellRanges(line, gap)
    if (covered(columns, own, gap).length !== columns.length || own.length === columns.length) return false
    return own[0]![0] > columns[0]![1] || /^\p{Ll}/u.test(textOf(line))
  }
  /** A line of a high cell, and a line beside its middle with the other cells. */
  const isCentredRow = (line: Line | undefined, next: Line | undefined): boolean => {
    if (!line || !next || next.base - line.base > 1.1 * line.size || !near(lines[to - 1]!, line)) return false
    return covered(columns, cellRanges(line, gap), gap).length === columns.length && fits(next, line)
  }
  for (let more = 1; more > 0; from -= more) {
    const isWrapped = follows(lines[from - 1], lines[from - 2])
    more = fits(lines[from - 1], lines[from]!) ? 1 : isWrapped && fits(lines[from - 2], lines[from - 1]!) ? 2 : 0
  }
  for (let more = 1; more > 0; to += more) {
    const isOne = fits(lines[to], lines[to - 1]!) || follows(lines[to], lines[to - 1])
    more = isOne ? 1 : isCentredRow(lines[to], lines[to + 1]) ? 2 : 0
  }
  return lines.slice(from, to)
}

interface Run {
  from: number
  to: number
  score: number
}

/** The lines from `from` on with the most cells between white rivers that run through all of them. */
function longest(lines: readonly Line[], from: number, gap: number): Run {
  const best: Run = { from, to: from, score: 0 }
  let columns: Range[] = []
  const rows: Range[][] = []
  for (let to = from; to < Math.min(lines.length, from + MAX_LINES); to++) {
    const line = lines[to]!
    if (to > from && !near(lines[to - 1]!, line)) break
    const own = cellRanges(line, gap)
    columns = covered(columns, own, gap)
    if (columns.length < 2 || LEADERS.test(textOf(line))) break
    rows.push(own)
    const filled = (row: readonly Range[]) => columns.filter(([x0, x1]) => row.some(([a, b]) => a >= x0 && b <= x1))
    const several = rows.filter((row) => filled(row).length > 1)
    const score = (columns.length - 1) * several.length
    const enough = several.length > 2 || (several.length === 2 && columns.length > 2)
    if (enough && score > best.score && own.length > 1) Object.assign(best, { to: to + 1, score })
  }
  return best
}

/** Tables without lines: at least three lines in a row with the same columns. They are given as numbers of lines. */
export function alignedGrids(
  lines: readonly Line[],
  strips: readonly Rule[],
): { grid: Grid; from: number; to: number }[] {
  const found: { grid: Grid; from: number; to: number }[] = []
  for (let from = 0; from < lines.length; from++) {
    const { size } = lines[from]!
    const narrow = gapOf(lines.slice(from, from + 8))
    for (const gap of [narrow, Math.max(narrow, 0.65 * size)]) {
      if (!cellular(lines[from]!, gap)) continue
      const runs = [from, from + 1, from + 2]
        .filter((at) => lines[at] && cellular(lines[at], gap))
        .map((at) => longest(lines, at, gap))
      const best = runs.toSorted((a, b) => b.score - a.score)[0]!
      // Narrow rivers through few lines are chance.
      if (best.score === 0 || (best.to - best.from < 4 && gap < 0.65 * size)) continue
      const own = spread(lines.slice(from), best.from - from, best.to - from, gap)
      const [x0, y0, x1, y1] = around(own.map(({ box }) => box))
      const grid = looseGrid(own, gap, marksIn(strips, [x0, y0 - size, x1, y1 + size]))
      if (!grid) continue
      const first = lines.indexOf(own[0]!)
      found.push({ grid, from: first, to: first + own.length })
      from = first + own.length - 1
      break
    }
  }
  return found
}
