import type { Grid } from './grid.ts'
import { type Line, linesOf } from './lines.ts'
import { around, type Box, centred, type Drawn, median, type Page, type Paragraph, type Word, width } from './model.ts'
import { add } from './spans.ts'

/** Above this part of a document's letters, letters of one width are those of a typewriter and not of code. */
const MOST = 0.75

/** Distance of baselines up to which lines belong to one listing, with an empty line between, in sizes of letters. */
const REACH = 3

/** East Asian fonts have letters of one width, and other fonts stand in for them in comments. */
const EAST_ASIAN = /[\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]/

const letters = (words: readonly Word[]) => words.reduce((sum, { text }) => sum + text.length, 0)

/** What begins a comment. */
const COMMENT = /^(\/\/|\/?\*|#|--|;|%)/

/** Signs and East Asian letters that the font of code lacks come from others, the latter mostly in comments. */
function isCode({ words }: Line): boolean {
  const [first] = words
  if (!first?.mono) return false
  const others = words.filter(({ mono, raised, text }) => !mono && !raised && /[\p{L}\d]/u.test(text))
  if (!others.every(({ text }) => EAST_ASIAN.test(text))) return false
  return COMMENT.test(first.text) || 2 * letters(others) <= letters(words)
}

const goesOn = (before: Line | undefined, line: Line) =>
  before !== undefined && line.base - before.base < REACH * line.size && Math.abs(line.size - before.size) < 0.6

/**
 * Leaves `mono` to the words of documents that have listings, and only to letters that could be those of code.
 *
 * @param pages their words are changed
 */
export function markCode(pages: readonly (Page | null)[]): void {
  const all = pages.flatMap((page) => page?.words ?? [])
  const wide = new Set(all.filter(({ mono, text }) => mono && EAST_ASIAN.test(text)).map(({ font }) => font))
  for (const word of all) if (wide.has(word.font)) delete word.mono
  const code = all.filter(({ mono }) => mono)
  if (code.length === 0) return
  const isListed = pages.some((page) => {
    const lines = linesOf(page?.words.filter(({ turn }) => turn === 0) ?? [])
    return lines.some((line, index) => isCode(line) && goesOn(lines[index - 1], line) && isCode(lines[index - 1]!))
  })
  if (!isListed || letters(code) > MOST * letters(all)) for (const word of code) delete word.mono
}

/** Filled boxes behind code, which are no cells of a table. */
export function shadesOf({ boxes, words }: Page): Set<Drawn> {
  const code = words.filter(({ mono }) => mono)
  if (code.length === 0) return new Set()
  const others = words.filter(({ mono }) => !mono)
  const holds = (box: Drawn, some: readonly Word[]) => some.some((word) => centred(word.box, box))
  const texts = new Set(boxes.filter((box) => holds(box, others)))
  /** Whether a cell with other text is beside it. */
  const isCell = (box: Drawn) =>
    texts
      .values()
      .some(
        (other) =>
          Math.min(Math.abs(other[2] - box[0]), Math.abs(box[2] - other[0])) < 2 &&
          Math.abs(other[1] - box[1]) < 2 &&
          Math.abs(other[3] - box[3]) < 2,
      )
  return new Set(boxes.filter((box) => !texts.has(box) && holds(box, code) && !isCell(box)))
}

/** Whether what was taken for a table is a listing: all of it is code, with one cell in a row. */
export const isListing = ({ cells }: Grid): boolean => {
  const filled = cells.filter(({ words }) => words.length > 0)
  const rows = new Set(filled.map(({ rows }) => rows[0]))
  return rows.size === filled.length && filled.every(({ words }) => words.every(({ mono }) => mono))
}

/** Lines in groups: those of a listing, and those between. One line is a listing if a shade is behind and beside it. */
export function listingsIn(lines: readonly Line[], shades: readonly Drawn[]): { lines: Line[]; isListing: boolean }[] {
  const groups: { lines: Line[]; isListing: boolean }[] = []
  for (const line of lines) {
    const last = groups.at(-1)
    const code = isCode(line)
    if (last?.isListing === code && (!code || goesOn(last.lines.at(-1), line))) last.lines.push(line)
    else groups.push({ lines: [line], isListing: code })
  }
  const isShaded = ({ box, size }: Line) =>
    shades.some((shade) => centred(box, shade) && width(shade) > width(box) + 4 * size)
  for (const group of groups) group.isListing &&= group.lines.length > 1 || isShaded(group.lines[0]!)
  return groups.reduce<typeof groups>((joined, group) => {
    const last = joined.at(-1)
    if (last && !last.isListing && !group.isListing) last.lines.push(...group.lines)
    else joined.push(group)
    return joined
  }, [])
}

/** A listing as a paragraph: each line is one, with spaces as wide as its letters. */
export function listingOf(lines: readonly Line[], area: Box): Paragraph {
  const words = lines.flatMap((line) => line.words)
  const letter = median(words.map(({ box, text }) => width(box) / text.length))
  const box = around(lines.map(({ box }) => box))
  const steps = lines.slice(1).map((line, index) => line.base - lines[index]!.base)
  const pitch = steps.length > 0 ? Math.min(...steps) : 0
  const spans: Paragraph['spans'] = []
  for (const [index, line] of lines.entries()) {
    let column = 0
    for (const [at, word] of line.words.entries()) {
      const wanted = Math.round((word.box[0] - box[0]) / letter)
      const least = at > 0 && word.spaced ? 1 : 0
      const breaks = index > 0 && at === 0 ? '\n'.repeat(Math.round(steps[index - 1]! / pitch)) : ''
      const between = ' '.repeat(Math.max(least, wanted - column))
      add(spans, breaks + between, word)
      column = Math.max(wanted, column + least) + word.text.length
    }
  }
  const indent = Math.round((lines[0]!.box[0] - box[0]) / letter)
  if (spans[0]) spans[0].text = ' '.repeat(indent) + spans[0].text
  return {
    kind: 'paragraph',
    code: true,
    spans,
    size: lines[0]!.size,
    align: 'left',
    rtl: false,
    ...(pitch > 0 && { pitch }),
    left: box[0] - area[0],
    box,
  }
}
