import type { Feature, Subject } from '../family.ts'
import { type Show, shows } from '../readers/shows.ts'
import { isSource, once } from '../sight.ts'
import { tokens } from '../tokens.ts'
import { allNear, equal, instead } from './compare.ts'
import { amiss } from './document-words.ts'

const showOf = once(async ({ path, format }: Subject): Promise<Show | undefined> => shows[format]?.(path))
const rule: Feature['rule'] = (_, to) => (to in shows ? 'kept' : undefined)

/** Each slide with its words in order, and no others but its number. */
const slides: Feature<readonly string[]> = {
  name: 'slides',
  rule,
  // A page of a PDF orders its words by place.
  read: async (subject) =>
    isSource(subject) && subject.format === 'pdf' ? undefined : (await showOf(subject))?.slides,
  differs: (wanted, got = [], { format, specimen }) => {
    if (got.length !== wanted.length) return `${got.length} slides instead of ${wanted.length}`
    if (specimen.real) return amiss(tokens(wanted.join(' ')), tokens(got.join(' ')))
    const shown = (text: string) => {
      const found = tokens(text).filter((word) => !/^\p{N}{1,2}$/u.test(word))
      return (format === 'pdf' ? found.sort() : found).join(' ')
    }
    const at = wanted.findIndex((text, index) => shown(text) !== shown(got[index]!))
    return at < 0 ? undefined : `slide ${at + 1} says "${got[at]}" instead of "${wanted[at]}"`
  },
}

/** The title of each slide, marked as such. */
const titles: Feature<readonly string[]> = {
  name: 'titles',
  rule: (_, to) => (to in shows && to !== 'pdf' ? 'kept' : undefined),
  // Slides of real files mark parts of a title, or none.
  read: async (subject) => (isSource(subject) ? undefined : (await showOf(subject))?.titles),
  differs: equal,
}

/** Millimetres, within one. */
const size: Feature<readonly [number, number]> = {
  name: 'size',
  rule,
  read: async (subject) => (await showOf(subject))?.size,
  differs: (wanted, got) => (allNear(wanted, got, () => 1) ? undefined : instead(wanted, got, ' mm')),
}

/** Features of slides. */
export const slidesFeatures: readonly Feature[] = [slides, titles, size]
