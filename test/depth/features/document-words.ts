import type { Feature, Subject } from '../family.ts'
import { isSource } from '../sight.ts'
import { tokens } from '../tokens.ts'
import { among } from './compare.ts'
import { laid, writingOf } from './document-writing.ts'

/** Text of a document in reading order, and words that may stand beside it: notes, title, author. */
export interface Told {
  text: string
  beside?: string
}

/** All words, in order, none cut or joined; and no others but numbers of lists, notes and pages. */
export const words: Feature<Told> = {
  name: 'words',
  documented: 'Raised marks of notes follow their word directly',
  rule: among(laid),
  read: async (subject) => {
    const told = await writingOf(subject)
    // Poppler knows the order of letters from right to left.
    const text = isSource(subject) && told?.lines ? told.lines.join('\n') : told?.text
    return told && { text: text!, beside: [...(told.notes ?? []), told.title, told.author].join(' ') }
  },
  differs: (wanted, got, { format }, source) => {
    const all = tokens(wanted.text)
    const found = tokens(got!.text)
    if (isReal(source)) return amiss(all, found)
    const glued = source.format === 'pdf' && format === 'txt'
    const lost = missing(all, found, glued)
    if (lost) return lost
    const known = new Set([...all, ...tokens(wanted.beside ?? '')])
    const isKnown = (word: string) => known.has(word) || (glued && known.has(word.replace(/\p{N}$/u, '')))
    const others = found.filter((word) => !isKnown(word) && !/^\p{N}{1,2}$/u.test(word))
    return others.length > 0 ? `words from nowhere: ${[...new Set(others)].slice(0, 8).join(' ')}` : undefined
  },
}

/** Says which word is missing in its order. `glued`: a mark may stand directly behind it. */
function missing(all: readonly string[], found: readonly string[], glued: boolean): string | undefined {
  let at = 0
  for (const [index, word] of all.entries()) {
    const next = found.findIndex(
      (other, place) => place >= at && (other === word || (glued && /^\p{N}+$/u.test(word) && other.startsWith(word))),
    )
    if (next < 0) return `after "${all.slice(Math.max(0, index - 3), index).join(' ')}", no ${word}`
    at = next + 1
  }
  return undefined
}

/** Real files have columns, boxes and formulas, which have no one order: 98 % of their words must be there. */
export function amiss(all: readonly string[], found: readonly string[]): string | undefined {
  const wanted = new Set(all)
  const got = new Set(found)
  const lost = [...wanted].filter((word) => !got.has(word))
  return lost.length > wanted.size / 50 ? `no ${lost.slice(0, 8).join(' ')}` : undefined
}
const isReal = ({ specimen }: Subject) => specimen.real === true
