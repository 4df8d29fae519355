import { isWithinWord, type KoreanBreaks, koreanBreaksOf } from './korean.ts'
import type { Line } from './lines.ts'
import type { Span, Word } from './model.ts'

/** How the lines of a document are broken. */
export interface Breaks {
  /** Words with a hyphen that stand within a line somewhere: they keep it when a line ends after it. */
  hyphenated: ReadonlySet<string>
  korean: KoreanBreaks
}

const styleOf = ({ size, font, colour, bold, italic, mono, raised, href }: Word | Span) =>
  [Math.round(size * 2), font, colour, bold ?? false, italic ?? false, mono ?? false, raised ?? '', href ?? ''].join()

/** Whether a space is between two words of a line. */
function apart(before: Word, word: Word): boolean {
  const size = Math.max(before.size, word.size)
  // From right to left, `spaced` is about the other side.
  if (word.box[2] <= before.box[0] + 0.3 * size) {
    const least = /^[.,;:!?،؛؟]/.test(word.text) ? 0.4 : 0.1
    return before.box[0] - word.box[2] > least * size
  }
  const gap = word.box[0] - before.box[2]
  // A quarter of an em is between East Asian and other letters.
  const isEastAsian = CJK.test(before.text.at(-1) ?? '') || isIdeographic(word.text)
  if (isEastAsian && !word.spaced) return gap > 0.5 * size
  return (word.spaced && gap > 0.06 * size) || gap > 0.24 * size
}

/** Adds a word in its style, after a space, a line break or nothing. Marks and links do not end with the space. */
export function add(spans: Span[], between: string, word: Word): void {
  const last = spans.at(-1)
  if (last && styleOf(last) === styleOf(word)) last.text += between + word.text
  else {
    const { size, font, colour, bold, italic, mono, raised, href } = word
    const style = { size, font, colour, ...(bold && { bold }), ...(italic && { italic }), ...(mono && { mono }) }
    const bare = last?.raised || last?.href
    if (last && between && !bare) last.text += between
    else if (between && (raised || href)) spans.push({ ...style, text: between })
    const before = bare && !raised && !href ? between : ''
    spans.push({ ...style, text: before + word.text, ...(raised && { raised }), ...(href && { href }) })
  }
}

/** Most characters of a part of a word before its hyphen. */
const MAX_TAIL = 64

/** Joins the end of a text with a word of the next line. Returns whether they are one word. */
function rejoined(spans: Span[], word: Word, breaks: Breaks): boolean {
  const last = spans.at(-1)!
  if (last.text.endsWith('\u00ad')) {
    last.text = last.text.slice(0, -1)
    return true
  }
  const tail = last.text.slice(-MAX_TAIL)
  const end = tail.match(/(\p{L}+)[-\u2010]$/u)
  const begin = word.text.match(/^\p{Ll}\p{L}*/u)
  if (!end || !begin) return /[-\u2010/]$/.test(tail) && /[\p{L}\d]/u.test(word.text[0] ?? '') && end !== null
  if (!breaks.hyphenated.has(`${end[1]}-${begin[0]}`.toLowerCase())) last.text = last.text.slice(0, -1)
  return true
}

/**
 * The text of lines.
 *
 * @param broken says whether a line break is after a line
 * @param tab least width of gaps that are tabs, in points
 */
export function spansOf(
  lines: readonly Line[],
  breaks: Breaks,
  broken: (index: number) => boolean = () => false,
  tab = Number.POSITIVE_INFINITY,
): Span[] {
  const spans: Span[] = []
  let before: Word | undefined
  for (const [index, { words }] of lines.entries())
    for (const [at, word] of words.entries()) {
      let between = ''
      if (before && at > 0 && apart(before, word)) between = word.box[0] - before.box[2] > tab ? '\t' : ' '
      if (before && at === 0) {
        if (broken(index - 1)) between = '\n'
        else if (!rejoined(spans, word, breaks) && !unspaced(before, word, breaks)) between = ' '
      }
      add(spans, between, word)
      before = word
    }
  return spans.map((span) => ({ ...span, text: span.text.replaceAll('\u00ad', '') })).filter(({ text }) => text)
}

const CJK = /[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]/

/** Whether a text begins with a letter of Chinese or Japanese, which have no spaces between words. */
export const isIdeographic = (text: string) => CJK.test(text[0] ?? '')

/** Whether no space is between two lines: between East Asian letters, and within Korean words. */
function unspaced(before: Word, word: Word, { korean }: Breaks): boolean {
  if (isIdeographic(before.text.at(-1) ?? '') || isIdeographic(word.text)) return !word.parted
  return isWithinWord(before, word, korean)
}

export function breaksOf(words: readonly Word[]): Breaks {
  const hyphenated = words.flatMap(({ text }) => text.toLowerCase().match(/(?<!\p{L})\p{L}+-\p{L}+/gu) ?? [])
  return { hyphenated: new Set(hyphenated), korean: koreanBreaksOf(words) }
}

export const plainText = (spans: readonly Span[]) => spans.map(({ text }) => text).join('')
