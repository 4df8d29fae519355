import type { Page, Piece } from './pieces.ts'

/** The pieces of one line, from left to right. Wide gaps separate cells. */
export interface Line {
  y: number
  height: number
  size: number
  x: number
  /** Right end. */
  end: number
  cells: Piece[][]
}

/** The lines of a page in reading order: the left column before the right one. */
export const linesOf = (page: Page): Line[] => columns(page).flatMap((pieces) => grouped(pieces))

/** Splits a page into two columns, if nearly all text is left or right of the middle. Text above that spans both comes first. */
function columns({ width, pieces }: Page): Piece[][] {
  const middle = width / 2
  const left = pieces.filter((piece) => piece.x + piece.width < middle + 4)
  const right = pieces.filter((piece) => piece.x > middle - 6)
  const across = pieces.filter((piece) => piece.x + piece.width >= middle + 4 && piece.x <= middle - 6)
  const letters = (list: Piece[]) => list.reduce((sum, { text }) => sum + text.length, 0)
  const two =
    left.length > 12 &&
    right.length > 12 &&
    across.length < 0.15 * pieces.length &&
    letters(right) > 0.3 * letters(left)
  if (!two) return [pieces]
  const cut = Math.max(-1, ...across.map(({ y }) => y))
  const below = (list: Piece[]) => list.filter(({ y }) => y > cut)
  return [pieces.filter(({ y }) => y <= cut), below(left), below(right.filter((piece) => !left.includes(piece)))]
}

function grouped(pieces: Piece[]): Line[] {
  const rows: Piece[][] = []
  for (const piece of pieces.toSorted((a, b) => a.y + a.height - b.y - b.height || a.x - b.x)) {
    const first = rows.at(-1)?.[0]
    const near = first && Math.abs(piece.y + piece.height - first.y - first.height) <= Math.max(2, 0.35 * piece.height)
    if (near) rows.at(-1)!.push(piece)
    else rows.push([piece])
  }
  return rows.map((row) => lineOf(row.sort((a, b) => a.x - b.x)))
}

function lineOf(row: Piece[]): Line {
  const cells: Piece[][] = []
  for (const piece of row) {
    const before = cells.at(-1)?.at(-1)
    if (before && piece.x - before.x - before.width <= 1.2 * piece.size) cells.at(-1)!.push(piece)
    else cells.push([piece])
  }
  const [first, last] = [row[0]!, row.at(-1)!]
  return { y: first.y, height: first.height, size: first.size, x: first.x, end: last.x + last.width, cells }
}

/** A line as HTML. Pieces that touch belong to one word. */
export const htmlOf = (pieces: readonly Piece[]) =>
  pieces
    .map((piece, index) => {
      const before = pieces[index - 1]
      const apart = before && piece.x - before.x - before.width > 0.15 * piece.size
      return `${apart ? ' ' : ''}${piece.html}`
    })
    .join('')
    .trim()
