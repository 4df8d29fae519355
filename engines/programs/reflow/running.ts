import { type Line, linesOf, parts, textOf } from './lines.ts'
import { height, median, type Page, type Paragraph, type Span, type Word, width } from './model.ts'
import { type Breaks, spansOf } from './spans.ts'

/** Which part of a page, from its top and bottom, headers and footers stand in. */
const EDGE = 0.13

const NUMBER =
  /^(?:[-–—·|•\s]*|page|seite|p\.|pág\.?|página|pagina|strana|стр\.?)\s*(\d{1,4}|[ivxlc]{1,6})(?:\s*(?:of|von|de|di|\/|из)\s*\d{1,4})?[-–—·|•\s]*$/i

/** Text without what changes from page to page. */
const pattern = (text: string) => text.replace(/\d+/g, '#').replace(/\s+/g, ' ').toLowerCase()

interface Edge {
  line: Line
  page: number
  top: boolean
}

/** What is repeated on pages. */
export interface Running {
  /** The words that are not part of the text. */
  words: ReadonlySet<Word>
  header: Paragraph[]
  footer: Paragraph[]
  plainFirst: boolean
  firstNumber: number
}

function edgesOf(page: Page, index: number): Edge[] {
  const lines = linesOf(page.words.filter(({ turn }) => turn === 0))
  const [, top, , bottom] = page.bounds
  const edge = EDGE * height(page.bounds)
  const upper = lines.filter(({ box }) => box[3] < top + edge).slice(0, 4)
  const lower = lines.filter(({ box }) => box[1] > bottom - edge).slice(-4)
  return [
    ...upper.map((line) => ({ line, page: index, top: true })),
    ...lower.filter((line) => !upper.includes(line)).map((line) => ({ line, page: index, top: false })),
  ]
}

/** Lines at the same place of pages whose texts differ in numbers only. */
function groupsOf(pages: readonly (Page | null)[]): Edge[][] {
  const groups = new Map<string, Edge[]>()
  for (const [index, page] of pages.entries())
    for (const edge of page ? edgesOf(page, index) : []) {
      const from = edge.top ? edge.line.base - page!.bounds[1] : page!.bounds[3] - edge.line.base
      const keys = [0, -1, 1].map((step) => `${edge.top} ${pattern(textOf(edge.line))} ${Math.round(from / 6) + step}`)
      const key = keys.find((one) => groups.has(one)) ?? keys[0]!
      groups.set(key, [...(groups.get(key) ?? []), edge])
    }
  return [...groups.values()]
}

/** Finds headers, footers and page numbers. */
export function runningOf(pages: readonly (Page | null)[], breaks: Breaks): Running {
  const filled = pages.filter((page) => page?.words.length).length
  const numbered = ({ line, page }: Edge) => {
    const found = NUMBER.exec(textOf(line))
    return found !== null && (Number(found[1]) === page + 1 || filled > 1)
  }
  const groups = groupsOf(pages).filter((edges) => {
    const on = new Set(edges.map(({ page }) => page)).size
    if (edges.every(numbered)) return on > 1 || Number(NUMBER.exec(textOf(edges[0]!.line))![1]) === edges[0]!.page + 1
    return on > 1 && on >= 0.3 * filled
  })
  const varying = [true, false].flatMap((top) => varyingEdges(pages, top, filled))
  const all = groups.flat()
  const on = (page: number) => all.filter((edge) => edge.page === page)
  // The first page often differs from the others.
  const example =
    pages
      .map((_, page) => page)
      .toSorted((a, b) => on(b).length - on(a).length || Number(a === 0) - Number(b === 0))[0] ?? 0
  const firsts = groups.map((edges) => startOf(edges)).filter((start) => start !== undefined)
  const firstNumber = firsts[0] ?? 1
  // A header that names the chapter is on some pages only.
  const lasting = new Set(groups.filter((edges) => edges.length >= 0.45 * filled).flat())
  const edge = (top: boolean) =>
    on(example)
      .filter((one) => one.top === top && lasting.has(one))
      .sort((a, b) => a.line.base - b.line.base)
      .map(({ line }) => edgeOf(line, pages[example]!, breaks, example + firstNumber, pages.length))
  return {
    words: new Set([...all, ...varying].flatMap(({ line }) => line.words)),
    header: edge(true),
    footer: edge(false),
    firstNumber,
    plainFirst: filled > 1 && all.length > 0 && on(0).length === 0,
  }
}

/**
 * The first or last lines of pages, if they are at the same place of most pages and apart from the text: headers that
 * name the chapter. No header of a document can vary like them.
 */
function varyingEdges(pages: readonly (Page | null)[], top: boolean, filled: number): Edge[] {
  const edges = pages.flatMap((page, index): (Edge & { from: number; apart: boolean })[] => {
    const lines = linesOf(page?.words.filter(({ turn }) => turn === 0) ?? [])
    const [line, next] = top ? [lines[0], lines[1]] : [lines.at(-1), lines.at(-2)]
    if (!page || !line || !next) return []
    const from = top ? line.base - page.bounds[1] : page.bounds[3] - line.base
    if (from > EDGE * height(page.bounds)) return []
    return [
      { line, page: index, top, from, apart: Math.abs(next.base - line.base) > 1.75 * Math.max(line.size, next.size) },
    ]
  })
  const usual = median(edges.map(({ from }) => from))
  const same = edges.filter(({ from }) => Math.abs(from - usual) < 3)
  const apart = same.filter(({ apart }) => apart)
  return same.length >= Math.max(4, 0.6 * filled) && apart.length >= 0.85 * same.length ? apart : []
}

const numbersIn = (text: string) => (text.match(/\d+/g) ?? []).map(Number)

/** The number of the first page, as numbers that rise with the pages tell it. */
function startOf(edges: readonly Edge[]): number | undefined {
  const starts = edges.map(({ line, page }) => numbersIn(textOf(line)).map((number) => number - page))
  return starts[0]?.find((start) => start >= 0 && starts.every((list) => list.includes(start)))
}

/** A header or footer; numbers of pages are fields in it, and tabs separate its parts. */
function edgeOf(line: Line, page: Page, breaks: Breaks, number: number, pages: number): Paragraph {
  const side = ((line.box[0] + line.box[2]) / 2 - page.bounds[0]) / width(page.bounds)
  const pieces = parts(line, 2.5 * line.size)
  const spans = pieces.flatMap((words, index): Span[] => {
    const own = spansOf([{ ...line, words }], breaks).flatMap((span) => fielded(span, number, pages))
    return index > 0 ? [{ ...own[0]!, field: undefined as never, text: '\t' }, ...own] : own
  })
  const align = pieces.length > 1 || side < 0.4 ? 'left' : side > 0.6 ? 'right' : 'center'
  return { kind: 'paragraph', spans, size: line.size, align, rtl: false, box: line.box }
}

function fielded(span: Span, number: number, pages: number): Span[] {
  let done = false
  return span.text
    .split(/(\d+)/)
    .filter(Boolean)
    .map((text): Span => {
      if (!done && text === String(number)) {
        done = true
        return { ...span, text, field: 'page' }
      }
      return done && text === String(pages) ? { ...span, text, field: 'pages' } : { ...span, text }
    })
}
