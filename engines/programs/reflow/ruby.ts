import { type Word, width } from './model.ts'

const KANA = /^[\p{Script=Hiragana}\p{Script=Katakana}\u30fb\u30fc]+$/u
const HAN = /[\p{Script=Han}\u3005\u2f00-\u2fdf]/u
/** Size of ruby in sizes of its word, at most. */
const SMALL = 0.65

/** Whether small letters stand closely above a word. */
function stands(ruby: Word, { box, size, turn }: Word): boolean {
  const centre = (ruby.box[0] + ruby.box[2]) / 2
  const gap = box[1] - ruby.box[3]
  return turn === 0 && ruby.size <= SMALL * size && centre > box[0] && centre < box[2] && Math.abs(gap) < 0.6 * size
}

/** Puts ruby, which says how letters are read, after its letters in parentheses. */
export function withRuby(words: readonly Word[]): Word[] {
  const notes = words.filter(({ text, turn }) => turn === 0 && KANA.test(text))
  if (notes.length === 0) return [...words]
  const hosts = words.filter(({ text }) => HAN.test(text))
  const found = new Map<Word, Word[]>()
  const done = new Set<Word>()
  for (const note of notes) {
    const host = hosts.find((one) => one !== note && stands(note, one))
    if (!host) continue
    const letters = [...host.text]
    const at = placeOf(note, host, letters.length)
    if (!HAN.test(letters[at - 1] ?? '')) continue
    found.set(host, [...(found.get(host) ?? []), note])
    done.add(note)
  }
  return words
    .filter((word) => !done.has(word))
    .map((word) => {
      const letters = [...word.text]
      const above = (found.get(word) ?? []).toSorted((a, b) => b.box[0] - a.box[0])
      for (const note of above) letters.splice(placeOf(note, word, [...word.text].length), 0, `（${note.text}）`)
      return above.length > 0 ? { ...word, text: letters.join('') } : word
    })
}

/** After how many letters of a word ruby ends. */
const placeOf = (note: Word, host: Word, count: number) =>
  Math.min(count, Math.max(1, Math.round(((note.box[2] - host.box[0]) * count) / width(host.box))))
