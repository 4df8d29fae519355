import type { Word } from './model.ts'

const SMALL = 0.87
/** Most letters of a mark: exponents, numbers of notes, endings such as "th". */
const MAX = 10

/** Horizontal distance of two words; negative if one is above the other. */
const gap = (a: Word, b: Word) => Math.max(a.box[0] - b.box[2], b.box[0] - a.box[2])

/** Where a small word is raised or lowered beside a larger one; undefined elsewhere. */
function raisedBy(word: Word, host: Word): 'sup' | 'sub' | undefined {
  const rise = (host.base - word.base) / host.size
  if (rise > 0.65 || rise < -0.55 || (rise < 0.09 && rise > -0.04)) return undefined
  const large = word.size > SMALL * host.size
  const reach = rise < 0 ? 0.2 : large ? 0.3 : 0.5
  if (large && (word.size > 1.02 * host.size || [...word.text].length > 4 || Math.abs(rise) < 0.2)) return undefined
  return gap(word, host) < reach * host.size && gap(word, host) > -0.3 * host.size
    ? rise > 0
      ? 'sup'
      : 'sub'
    : undefined
}

/** Marks superscripts and subscripts, and puts them on the baseline of the word beside them. */
export function raise(words: readonly Word[]): Word[] {
  const level = words.filter(({ turn }) => turn === 0).toSorted((a, b) => a.base - b.base)
  const done = new Map<Word, Word>()
  /** Words whose baselines are at most `reach` points away. */
  function* around(word: Word, reach: number) {
    let low = 0
    let high = level.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (level[middle]!.base < word.base - reach) low = middle + 1
      else high = middle
    }
    for (let index = low; index < level.length && level[index]!.base <= word.base + reach; index++) yield level[index]!
  }
  for (const word of level) {
    if ([...word.text].length > MAX) continue
    for (const host of around(word, 5 * word.size)) {
      if (host === word || done.has(host)) continue
      const raised = raisedBy(word, host)
      if (!raised) continue
      done.set(word, { ...word, raised, base: host.base })
      break
    }
  }
  // Words that go on with a mark.
  for (const word of level) {
    if (done.has(word) || [...word.text].length > MAX) continue
    for (const other of around(word, 0.05 * word.size)) {
      const mark = done.get(other)
      if (mark && Math.abs(other.size - word.size) < 0.1 && gap(word, other) < 0.5 * word.size) {
        done.set(word, { ...word, raised: mark.raised!, base: mark.base })
        break
      }
    }
  }
  return words.map((word) => done.get(word) ?? word)
}
