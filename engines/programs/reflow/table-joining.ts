import { around, type Cell, type Table } from './model.ts'
import { plainText } from './spans.ts'
import { isHead } from './tables.ts'

const cellText = ({ paragraphs }: Cell) => paragraphs.map(({ spans }) => plainText(spans)).join('\n')

const rowText = (row: readonly Cell[]) => row.map((cell) => `${cell.column} ${cellText(cell)}`).join('\t')

/** Left edge, middle and right edge of the text of each column; undefined for columns without cells of their own. */
const edgesOf = ({ widths, rows }: Table) =>
  widths.map((_, column) => {
    const own = rows.flat().filter((cell) => cell.column === column && cell.columns === 1)
    const boxes = own.flatMap(({ paragraphs }) => paragraphs.map(({ box }) => box))
    if (boxes.length === 0) return undefined
    const [left, , right] = around(boxes)
    return [left, (left + right) / 2, right]
  })

/** Whether a table at the top of a page or column goes on with the one at the end of that before. */
export function goesOn(above: Table, below: Table): boolean {
  if (above.widths.length !== below.widths.length) return false
  if (below.rows[0]!.every(isHead) && rowText(above.rows[0]!) !== rowText(below.rows[0]!)) return false
  const total = above.widths.reduce((sum, one) => sum + one, 0)
  if (above.widths.every((one, index) => Math.abs(one - below.widths[index]!) < Math.max(4, 0.03 * total))) return true
  const before = edgesOf(above)
  const shifts = edgesOf(below).flatMap((edges, column) =>
    edges && before[column] ? [edges.map((edge, side) => edge - before[column]![side]!)] : [],
  )
  const alike = (shift: number) => shifts.every((column) => column.some((one) => Math.abs(one - shift) < 3))
  return shifts.length > 1 && shifts[0]!.some(alike)
}

/** Whether a row goes on with the last one of a page before: it has some of the cells, in the middle of a sentence. */
const isRest = (row: readonly Cell[]) =>
  row.some(({ paragraphs }) => paragraphs.length === 0) &&
  row.every((cell) => cell.paragraphs.length === 0 || /^\p{Ll}/u.test(cellText(cell)))

/** Both tables as one, without rows at the top of the second that repeat those of the first. */
export function joinedTables(above: Table, below: Table): Table {
  let same = 0
  while (
    same < Math.min(5, below.rows.length, above.rows.length) &&
    rowText(above.rows[same]!) === rowText(below.rows[same]!)
  )
    same++
  const header = Math.max(above.header, same)
  const rows = [...above.rows]
  const next = below.rows[same]
  if (next && isRest(next)) {
    same++
    const last = rows.pop()!
    const rest = (column: number) => next.find((cell) => cell.column === column)?.paragraphs ?? []
    rows.push(last.map((cell) => ({ ...cell, paragraphs: [...cell.paragraphs, ...rest(cell.column)] })))
  }
  return {
    ...above,
    rows: [...rows, ...below.rows.slice(same)],
    heights: [...above.heights, ...below.heights.slice(same)],
    lines: [
      ...above.lines,
      ...below.lines
        .filter(({ row }) => row > same)
        .map((line) => ({ ...line, row: line.row - same + above.rows.length })),
    ],
    header,
  }
}
