import { around, type Box, type Word } from './model.ts'
import { isRtl } from './pages.ts'

/** Words on one baseline in reading order, with marks above and below it. */
export interface Line {
  words: Word[]
  box: Box
  base: number
  /** The font size of most letters. */
  size: number
}

const SMALL = 0.87

/** The font size of most letters. */
export function mainSize(words: readonly Word[]): number {
  const letters = new Map<number, number>()
  for (const { size, text } of words) {
    const step = Math.round(size * 2) / 2
    letters.set(step, (letters.get(step) ?? 0) + text.length)
  }
  return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 10
}

function lineOf(words: readonly Word[]): Line {
  const size = mainSize(words)
  const main = words.filter((word) => !word.raised && word.size >= SMALL * size)
  const base = (main[0] ?? words[0]!).base
  // The boxes of some fonts are far higher than their letters.
  const [x0, , x1] = around(words.map(({ box }) => box))
  return { words: ordered(words), base, size, box: [x0, base - 0.8 * size, x1, base + 0.2 * size] }
}

/** From left to right, or from right to left with the words in other letters the other way. */
function ordered(words: readonly Word[]): Word[] {
  const sorted = words.toSorted((a, b) => a.box[0] - b.box[0])
  return isRtl(sorted.map(({ text }) => text).join('')) ? fromRight(sorted) : sorted
}

/**
 * Words of a line among text from right to left in reading order. Signs of numbers stand at their left there, which is
 * after them on the page.
 *
 * @param sorted from left to right
 */
export function fromRight(sorted: readonly Word[]): Word[] {
  const result: Word[] = []
  let run: Word[] = []
  for (const word of sorted.toReversed()) {
    const text = word.text.replace(/^(\d[\d.,]*)([-+\u2212])$/, '$2$1')
    const one = text === word.text ? word : { ...word, text }
    if (/[a-z\d]/i.test(word.text)) run.unshift(one)
    else {
      result.push(...run, one)
      run = []
    }
  }
  return [...result, ...run]
}

/** The lines of words from top to bottom. */
export function linesOf(words: readonly Word[]): Line[] {
  const rows: { base: number; size: number; words: Word[] }[] = []
  for (const word of words.toSorted((a, b) => a.base - b.base || b.size - a.size)) {
    const near = rows.findLast((row) => Math.abs(row.base - word.base) <= 0.22 * Math.max(row.size, word.size))
    if (near) {
      near.words.push(word)
      if (word.size > near.size) Object.assign(near, { size: word.size, base: word.base })
    } else rows.push({ base: word.base, size: word.size, words: [word] })
  }
  return rows
    .filter((row) => row.words.length > 0)
    .map((row) => lineOf(row.words))
    .sort((a, b) => a.base - b.base)
}

export const textOf = (line: Line) =>
  line.words
    .map(({ text, spaced }) => `${spaced ? ' ' : ''}${text}`)
    .join('')
    .trim()

/** Parts of a line that are separated by gaps of at least `gap` points, from left to right. */
export function parts(line: Line, gap: number): Word[][] {
  const found: Word[][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const word of line.words.toSorted((a, b) => a.box[0] - b.box[0])) {
    if (word.box[0] - end >= gap || found.length === 0) found.push([word])
    else found.at(-1)!.push(word)
    end = Math.max(end, word.box[2])
  }
  return found
}
