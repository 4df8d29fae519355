import { partOf } from './articles.ts'
import { type Line, parts, textOf } from './lines.ts'
import { around, type Box, median, type Paragraph } from './model.ts'
import { isRtl } from './pages.ts'
import { type Breaks, isIdeographic, plainText, spansOf } from './spans.ts'

const BULLET = /^[•–—◦▪·‣●○■□➢➤✓✔❖\uf0b7\uf0a7\uf0d8\uf0fc\u25aa-]$/u
const NUMBER = /^\(?(\d{1,3}|[a-z]|[ivx]{1,4})[.)]$/i
/** Least width of a gap that is a tab, in sizes of the letters. */
const TAB = 2
const SYMBOLS = /symbol|dings|dingbat/i

/** What marks a line as an item of a list: a bullet, a number, or nothing. */
export function markOf({ words }: Line): 'bullet' | 'number' | undefined {
  const [first, second] = words
  if (!first || !second || second.box[0] - first.box[2] < 0.15 * first.size) return undefined
  if (BULLET.test(first.text) || ([...first.text].length === 1 && SYMBOLS.test(first.font))) return 'bullet'
  if (first.text === 'o' && /courier/i.test(first.font)) return 'bullet'
  return NUMBER.test(first.text) ? 'number' : undefined
}

const isBold = ({ words }: Line) => words.every(({ bold }) => bold)

/** The column that lines stand in. */
interface Column {
  left: number
  right: number
  /** Usual distance of baselines by font size. */
  pitch: (size: number) => number
}

function columnOf(lines: readonly Line[], page: Box, isCell: boolean): Column {
  const own = around(lines.map(({ box }) => box))
  const [left, , right] = isCell
    ? [page[0] + 3, 0, page[2] - 3]
    : lines.length > 3 || own[2] - own[0] > 0.5 * (page[2] - page[0])
      ? own
      : page
  const steps = new Map<number, number[]>()
  lines.slice(1).forEach((line, index) => {
    const step = line.base - lines[index]!.base
    if (line.size === lines[index]!.size && step > 0.5 * line.size && step < 2.6 * line.size)
      steps.set(line.size, [...(steps.get(line.size) ?? []), step])
  })
  const pitch = (size: number) => {
    const known = steps.get(size) ?? []
    return known.length > 1 ? Math.min(median(known), 2 * size) : 1.35 * size
  }
  return { left, right, pitch }
}

/** Whether the first word of `line` would have had room at the end of the line before. */
function isShort(before: Line, line: Line, { left, right }: Column): boolean {
  const rtl = isRtl(textOf(before))
  const room = rtl ? before.box[0] - left : right - before.box[2]
  const first = line.words[0]!
  // East Asian words break anywhere, but not before punctuation.
  const whole = first.box[2] - first.box[0]
  const wide = isIdeographic(first.text) ? Math.min(whole, 2 * first.size) : whole
  return room > wide + 0.8 * line.size
}

function isCentred({ box }: Line, { left, right }: Column): boolean {
  const before = box[0] - left
  const after = right - box[2]
  return before > 0.06 * (right - left) && Math.abs(before - after) < Math.max(4, 0.04 * (right - left))
}

const isArticle = (line: Line) => partOf(textOf(line)) !== undefined

/** Whether a line begins a paragraph. */
function begins(line: Line, open: readonly Line[], next: Line | undefined, column: Column): boolean {
  const before = open.at(-1)!
  const first = open[0]!
  const step = line.base - before.base
  if (step < 0 || step > 1.22 * column.pitch(line.size) + 0.5 || Math.abs(line.size - before.size) > 0.6) return true
  if (isArticle(line) || (open.length === 1 && isArticle(first) && isShort(before, line, column))) return true
  const mark = markOf(line)
  if (mark === 'bullet' || (mark === 'number' && (line.box[0] <= first.box[0] + 2 || isShort(before, line, column))))
    return true
  if (isBold(line) !== isBold(before) && isShort(before, line, column)) return true
  if (isCentred(line, column) && isCentred(before, column)) return false
  // Headings below each other; a title of several lines is closer.
  const isFull = !isShort(before, line, column)
  if (isBold(line) && step > 1.3 * line.size && !isFull) return true
  if (isBold(line) && isBold(before) && step < 1.3 * line.size && isFull) return false
  const indent = 0.7 * line.size
  // The lines of an item stand under its text.
  if (markOf(first))
    return line.box[0] < first.box[0] - 2 || (open.length > 1 && line.box[0] < open[1]!.box[0] - indent)
  const rtl = isRtl(textOf(line))
  const begin = (one: Line) => (rtl ? column.right - one.box[2] : one.box[0] - column.left)
  if (begin(line) > begin(before) + indent && begin(before) < indent && (!next || begin(next) < indent)) return true
  return isShort(before, line, column) && /[.:;!?…。！？：；]["”’)」』）]*$/.test(textOf(before))
}

function alignOf(lines: readonly Line[], column: Column): Paragraph['align'] {
  if (lines.every((line) => isCentred(line, column))) return 'center'
  const { left, right } = column
  const flush = lines.every(({ box }) => right - box[2] < 3 && box[0] - left > 0.35 * (right - left))
  return flush && !isRtl(textOf(lines[0]!)) ? 'right' : 'left'
}

/** The distance of lines, and how far they are indented. */
function shapeOf(lines: readonly Line[], column: Column): Pick<Paragraph, 'pitch' | 'indent' | 'left'> {
  const [first, second] = lines as [Line, Line?]
  if (!second) return { left: first.box[0] - column.left }
  const steps = lines.slice(1).map((line, index) => line.base - lines[index]!.base)
  const left = Math.min(...lines.slice(1).map(({ box }) => box[0]))
  const indent = first.box[0] - left
  return { pitch: median(steps), left: left - column.left, ...(Math.abs(indent) > 3 && { indent }) }
}

/** Where text goes on after wide gaps. */
function tabsOf(lines: readonly Line[], { left, right }: Column, tab: number): NonNullable<Paragraph['tabs']> {
  const stops = lines.flatMap((line) =>
    parts(line, tab)
      .slice(1)
      .map((words, index, all) => {
        const isEnd = index === all.length - 1 && right - words.at(-1)!.box[2] < 3
        return { at: (isEnd ? right : words[0]!.box[0]) - left, isEnd }
      }),
  )
  return stops.filter(({ at }, index) => stops.findIndex((other) => Math.abs(other.at - at) < 3) === index)
}

/** Lines that show where their paragraph ends: fewer may be an address. */
const INSET = 4

/** The column of a paragraph of its own width: each of its lines ends where the next word had no room in that. */
function insetOf(lines: readonly Line[], column: Column): Column {
  const own = { ...column, right: Math.max(...lines.map(({ box }) => box[2])) }
  const isNarrow = column.right - own.right > 2 * lines[0]!.size && !isRtl(textOf(lines[0]!))
  const isFull = lines.slice(1).every((line, index) => !isShort(lines[index]!, line, own))
  return isNarrow && isFull && lines.length >= INSET ? own : column
}

/** One paragraph out of its lines. */
function paragraphOf(lines: readonly Line[], column: Column, breaks: Breaks, isCell: boolean): Paragraph {
  const [first] = lines as [Line]
  const mark = markOf(first)
  const large = lines.every(isBold) || lines.every((line) => isCentred(line, column))
  const own = insetOf(lines, column)
  const broken = (index: number) => !large && isShort(lines[index]!, lines[index + 1]!, own)
  const listed = mark === 'bullet' || mark === 'number'
  const body = mark === 'bullet' ? [{ ...first, words: first.words.slice(1) }, ...lines.slice(1)] : lines
  const align = listed ? 'left' : alignOf(lines, column)
  const tab = isCell || listed || align !== 'left' || isRtl(textOf(first)) ? Number.POSITIVE_INFINITY : TAB * first.size
  const spans = spansOf(body, breaks, listed ? undefined : broken, tab)
  const tabs = tabsOf(lines, column, tab)
  return {
    kind: 'paragraph',
    spans,
    size: first.size,
    align,
    ...(tabs.length > 0 && { tabs }),
    ...(mark === 'bullet' && { list: { ordered: false, depth: 0, number: 0 } }),
    rtl: isRtl(plainText(spans)),
    ...shapeOf(lines, column),
    ...(own !== column && align === 'left' && { right: column.right - own.right }),
    box: around(lines.map(({ box }) => box)),
  }
}

/**
 * Paragraphs out of the lines of a column.
 *
 * @param page the area of the page that has text, or of a cell
 * @param among the lines that show how wide the column is and how far apart its lines are
 */
export function paragraphsOf(
  lines: readonly Line[],
  page: Box,
  breaks: Breaks,
  isCell = false,
  among: readonly Line[] = lines,
): Paragraph[] {
  if (lines.length === 0) return []
  const column = columnOf(among, page, isCell)
  const blocks: Line[][] = []
  for (const [index, line] of lines.entries()) {
    const open = blocks.at(-1)
    if (!open || begins(line, open, lines[index + 1], column)) blocks.push([line])
    else open.push(line)
  }
  return blocks.map((block) => paragraphOf(block, column, breaks, isCell))
}
