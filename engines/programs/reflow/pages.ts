import { bulleted } from './bullets.ts'
import type { Facts } from './docx/package.ts'
import { withFields } from './fields.ts'
import { centred, type Page, type Title, type Word } from './model.ts'
import radicals from './radicals.json' with { type: 'json' }
import { raise } from './raised.ts'
import { withRuby } from './ruby.ts'
import { turnedPage } from './turning.ts'
import { level } from './vertical.ts'

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u

/** Letters as one writes them, for their shapes: accents, ligatures, Arabic, radicals, vertical punctuation. */
const plain = (text: string) =>
  text
    .replace(/[A-Za-z][\u0300-\u0328]+/g, (parts) => parts.normalize('NFC'))
    .replace(/[\u2e80-\u2fdf\ufb00-\ufdff\ufe70-\ufefc]+/gu, (shapes) => shapes.normalize('NFKC'))
    .replace(/[\u2e80-\u2ef3]/gu, (one) => [...radicals.ideographs][radicals.radicals.indexOf(one)] ?? one)
    .replace(/[\ufe10-\ufe19\ufe30-\ufe48]/gu, (shape) => wide(shape.normalize('NFKC')))

/** ASCII as wide as East Asian letters. */
const wide = (text: string) => text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0))

/** The text of a word in logical order. Pages hold the letters of Arabic and Hebrew from left to right. */
function logical({ text, back }: Word): string {
  // Control characters are glyphs of fonts without a table of characters.
  const legible = text.replace(/[\x00-\x1f\x7f\ufffd-\uffff]/g, '')
  if (back || !RTL.test(legible)) return plain(legible)
  const turned = [...legible]
    .reverse()
    .join('')
    .replace(/\d+([.,:/]\d+)*/g, (digits) => [...digits].reverse().join(''))
  return plain(turned)
}

/** Drops words that are printed twice, as some programs do for bold letters and shadows. */
function once(words: readonly Word[]): Word[] {
  const seen = new Map<string, Word>()
  return words.filter((word) => {
    const places = [-1, 0, 1].map(
      (step) => `${word.text} ${Math.round(word.box[0] / 2) + step} ${Math.round(word.base / 2)}`,
    )
    const first = places
      .map((place) => seen.get(place))
      .find((one) => one && Math.abs(one.box[0] - word.box[0]) < 0.12 * word.size)
    if (first) first.bold = true
    else seen.set(places[1]!, word)
    return !first
  })
}

/** Turns a page whose text runs up or down, so that it runs from left to right. */
function upright(page: Page): Page {
  const letters = (turn: number) =>
    page.words.filter((word) => word.turn === turn).reduce((sum, { text }) => sum + text.length, 0)
  const turn = ([90, -90] as const).find((turn) => letters(turn) > 2 * letters(0) && letters(turn) > 40)
  return turn ? turnedPage(page, turn) : page
}

/** Reads what `mupdf/read.js` wrote. An unreadable page is an empty one. */
export function readPages(lines: string): { outline: Title[]; facts: Facts; pages: (Page | null)[] } {
  const [document = '{}', ...rest] = lines.split('\n').filter(Boolean)
  const pages = rest.map((line): Page | null => {
    const page = JSON.parse(line) as Page | null
    if (!page) return null
    const links = page.links.filter(({ uri }) => /^(https?|mailto|ftp|tel):/i.test(uri))
    const words = withFields(once(page.words), page.fields)
      .map((word): Word => {
        const href = links.find(({ box }) => centred(word.box, box))?.uri
        const bold = word.bold || /bold|black|heavy|semibold|demi|cmb|-bd/i.test(word.font)
        const italic = word.italic || /ital|obli|slant|cmti|cmmi/i.test(word.font)
        return { ...word, text: logical(word), bold, italic, ...(href && { href }) }
      })
      .filter(({ text, size }) => text && size > 0.5)
    const upward = upright(level({ ...page, words }))
    return { ...upward, words: bulleted(raise(withRuby(upward.words)), upward.dots) }
  })
  const { outline = [], facts = {} } = JSON.parse(document)
  return { outline, facts, pages }
}

/** Whether most letters of a text are written from right to left. */
export function isRtl(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? []
  return letters.filter((letter) => RTL.test(letter)).length > letters.length / 2
}
