import type { Word } from './model.ts'

const HANGUL = /[\uac00-\ud7af]/
const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

/** Fewest line breaks that tell how a document is broken, and the share of typed spaces where words stay whole. */
const FEWEST = 3
const WHOLE = 0.85

/** How the lines of a Korean document end: some programs break them within words, and some leave out their spaces. */
export type KoreanBreaks = 'whole words' | 'typed spaces' | { known: ReadonlySet<string> }

export function koreanBreaksOf(words: readonly Word[]): KoreanBreaks {
  const isEdge = (word: Word, other: Word | undefined) => !other || Math.abs(other.base - word.base) > 0.5 * word.size
  const inner = words.filter((word, index) => !isEdge(word, words[index - 1]) && !isEdge(word, words[index + 1]))
  const known = new Set(inner.map(({ text }) => letters(text)).filter((text) => HANGUL.test(text)))
  const breaks = words.flatMap((word, index) => {
    const before = words[index - 1]
    return before && isEdge(word, before) && areKorean(before, word) ? [{ before, word }] : []
  })
  const typed = breaks.filter(({ word }) => word.parted).length
  if (typed >= FEWEST) return typed < WHOLE * breaks.length ? 'typed spaces' : 'whole words'
  const broken = breaks.filter(
    ({ before, word }) => known.has(letters(before.text + word.text)) && !known.has(letters(before.text)),
  )
  return broken.length >= FEWEST ? { known } : 'whole words'
}

const areKorean = (before: Word, word: Word) =>
  HANGUL.test(before.text.at(-1) ?? '') && /^[\uac00-\ud7af]/.test(word.text)

/** Whether a line break is within a word: by a missing space, or by the words that the document has elsewhere. */
export function isWithinWord(before: Word, word: Word, breaks: KoreanBreaks): boolean {
  if (breaks === 'whole words' || !areKorean(before, word)) return false
  if (breaks === 'typed spaces') return !word.parted
  const end = letters(before.text)
  const begin = letters(word.text)
  return breaks.known.has(end + begin) || !(breaks.known.has(end) || breaks.known.has(begin))
}
