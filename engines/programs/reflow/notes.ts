import type { Block, Paragraph, Span } from './model.ts'
import { plainText } from './spans.ts'

const MARK = /^\s*(\d{1,3}|[*†‡§]{1,3})\s*$/

/** The mark at the beginning of a footnote, and how many characters it takes. */
function markOf({ spans }: Paragraph): string | undefined {
  const [first] = spans
  if (first?.raised === 'sup') return MARK.exec(first.text)?.[1]
  return /^(\d{1,3}|[*†‡§]{1,3})\s(?=\S)/.exec(plainText(spans))?.[1]
}

/** Takes the mark off a footnote. */
function unmarked(note: Paragraph, mark: string): Paragraph {
  const [first, ...rest] = note.spans as [Span, ...Span[]]
  const text = first.text.trimStart().slice(mark.length)
  const spans = [{ ...first, raised: undefined as never, text }, ...rest].filter(
    (span) => span.text.trim() || span !== note.spans[0],
  )
  if (spans[0]) spans[0] = { ...spans[0], text: spans[0].text.trimStart() }
  const { list: _, ...bare } = note
  return { ...bare, spans: spans.filter(({ text }) => text) }
}

/** Whether a raised mark follows a word or a sentence, unlike an exponent. */
function refers(spans: readonly Span[], index: number, mark: string): boolean {
  const span = spans[index]!
  if (span.raised !== 'sup' || span.note || MARK.exec(span.text)?.[1] !== mark) return false
  return /(\p{L}{3,}|[.,;:!?)"”’])\s*$/u.test(plainText(spans.slice(0, index))) || !/\d/.test(mark)
}

/**
 * Moves footnotes of a page to their marks in its text. A footnote is in the lower part of the page, in smaller letters
 * or with a raised mark, and begins with a mark that is raised in the text.
 *
 * @param bottom where the lower part begins
 */
export function linkNotes(blocks: readonly Block[], size: number, bottom: number): Block[] {
  const left = [...blocks]
  const paragraphs = blocks.filter((block): block is Paragraph => block.kind === 'paragraph' && !block.code)
  const notes = paragraphs.filter(
    (one) =>
      (one.size < 0.96 * size || one.spans[0]?.raised === 'sup') && one.box[1] > bottom && markOf(one) !== undefined,
  )
  const ends = paragraphs.filter((one) => one.size < 0.96 * size && one.box[1] > bottom)
  for (const note of notes) {
    const mark = markOf(note)!
    const span = paragraphs
      .filter((one) => !notes.includes(one))
      .flatMap(({ spans }) => spans.filter((_, index) => refers(spans, index, mark)))[0]
    if (!span) continue
    const own = unmarked(note, mark)
    // Lines that go on with a note.
    for (let index = ends.indexOf(note) + 1; ends[index] && !notes.includes(ends[index]!); index++) {
      if (ends[index]!.box[1] < note.box[1] || ends[index]!.box[0] > note.box[2]) break
      own.spans.push({ ...own.spans[0]!, text: ' ' }, ...ends[index]!.spans)
      left.splice(left.indexOf(ends[index]!), 1)
    }
    span.note = own
    left.splice(left.indexOf(note), 1)
  }
  return left
}
