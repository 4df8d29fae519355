import { type Part, partsOf, ranges } from './columns.ts'
import { type Line, linesOf, mainSize } from './lines.ts'
import { around, type Word } from './model.ts'
import { isRtl } from './pages.ts'

interface Split {
  x: number
  from: number
  to: number
}

const letters = (words: readonly Word[]) => words.reduce((sum, { text }) => sum + text.length, 0)

/** Parts of a page in reading order: the text above columns, the left column, the right one, the text below. */
export function regions(words: readonly Word[], depth = 0): Word[][] {
  if (words.length < 12 || depth > 8) return words.length > 0 ? [[...words]] : []
  const lines = linesOf(words)
  const split = splitOf(lines, mainSize(words))
  if (!split) return [[...words]]
  const between = lines.slice(split.from, split.to).flatMap((line) => line.words)
  const sides = [between.filter(({ box }) => box[2] <= split.x), between.filter(({ box }) => box[2] > split.x)]
  if (isRtl(words.map(({ text }) => text).join(''))) sides.reverse()
  const above = lines.slice(0, split.from).flatMap((line) => line.words)
  const below = lines.slice(split.to).flatMap((line) => line.words)
  return [above, ...sides, below].flatMap((part) => regions(part, depth + 1))
}

/** The gutter between two columns of prose that runs along the most lines. */
function splitOf(lines: readonly Line[], body: number): Split | undefined {
  const gap = 0.8 * body
  const [left, , right] = around(lines.map(({ box }) => box))
  const rows = lines.map((line) => partsOf([line], gap))
  const candidates = new Set<number>()
  for (const row of rows)
    for (const [index, part] of row.entries()) {
      if (index > 0) candidates.add(Math.round((row[index - 1]!.box[2] + part.box[0]) / 4) * 2)
      else if (part.box[0] > left + 0.2 * (right - left)) candidates.add(Math.round((part.box[0] - 0.5 * gap) / 2) * 2)
    }
  let best: Split | undefined
  for (const x of candidates) {
    if (x - left < 0.15 * (right - left) || right - x < 0.15 * (right - left)) continue
    const crosses = rows.map((row) => row.some(({ box }) => box[0] < x && box[2] > x))
    for (let from = 0; from < rows.length; from++) {
      if (crosses[from]) continue
      let to = from
      while (to < rows.length && !crosses[to]) to++
      if (to - from > (best ? best.to - best.from : 3) && isProse(rows.slice(from, to), x)) best = { x, from, to }
      from = to
    }
  }
  return best
}

/**
 * Whether there is prose on both sides. The parts of cells are short. So are those of justified lines with wide spaces,
 * but their spaces are at other places in each line.
 */
function isProse(rows: readonly (readonly Part[])[], x: number): boolean {
  return [true, false].every((isLeft) => {
    const sides = rows.map((row) => row.filter(({ box }) => box[2] <= x === isLeft)).filter((side) => side.length > 0)
    const found = sides.flat()
    const total = found.reduce((sum, { words }) => sum + letters(words), 0)
    if (found.length >= 3 && total / found.length >= 16) return true
    return sides.length >= 6 && total / sides.length >= 20 && ranges(found).length === 1
  })
}
