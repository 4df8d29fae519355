import type { Feature } from '../family.ts'
import type { Writing } from '../readers/writing.ts'
import { tokens } from '../tokens.ts'
import { allNear, among, equal, instead, lacks, lacksShown } from './compare.ts'
import { pictures } from './document-pictures.ts'
import { words } from './document-words.ts'
import { laid, lostInText, pages, reading, structured, toPdf, writingOf } from './document-writing.ts'

/** Headings and their levels; in PDF, larger letters. */
const headings: Feature<Writing['headings'] & {}> = {
  name: 'headings',
  documented: 'Plain text has no headings',
  rule: (from, to) => (from === 'txt' ? undefined : lostInText(toPdf)(from, to)),
  read: reading('headings'),
  differs: (wanted, got = [], { format }, source) => {
    // Styles can show capitals on paper.
    const shown = ([level, text]: readonly [number, string]) =>
      format === 'pdf' ? text.toLowerCase() : `${level} ${text}`
    // The style Title of Word is the first heading, above the others.
    const isBelow = source.format === 'docx' && format !== 'pdf' && got.length === wanted.length + 1
    const lost = lacksShown(shown, isBelow ? wanted.map(([level, text]) => [level + 1, text] as const) : wanted, got)
    // A title above the text, and an author below it, can be headings, too.
    return lost ?? (format !== 'pdf' && got.length > wanted.length + 2 ? `${got.length} headings` : undefined)
  },
}

/** Items of lists, numbered or not. */
const items: Feature<Writing['items'] & {}> = {
  name: 'lists',
  rule: among(structured),
  read: reading('items'),
  differs: (wanted, got) => lacksShown(([ordered, text]) => `${ordered ? '1.' : '-'} ${text}`, wanted, got),
}

type Table = readonly (readonly string[])[]
const sameCells = (one: Table, other: Table) => JSON.stringify(one) === JSON.stringify(other)

/** Tables cell by cell; in PDF and plain text, cells of a row on one line. */
const tables: Feature<readonly Table[]> = {
  name: 'tables',
  rule: among(laid),
  read: reading('tables'),
  differs: async (wanted, got, subject) => {
    if (got) return lacks(wanted, got, sameCells)
    const lines = (await writingOf(subject))?.lines ?? []
    const isShown = (row: readonly string[]) =>
      lines.some((line) => {
        let at = 0
        return row.every((cell) => (at = line.indexOf(cell, at) + cell.length) >= cell.length && at > 0)
      })
    const lost = wanted.flat().filter((row) => row.some(Boolean) && !isShown(row))
    return lost.length > 0 ? `no line with ${JSON.stringify(lost[0])}` : undefined
  },
}

/** Notes that the text refers to; in PDF and plain text, their words. */
const notes: Feature<readonly string[]> = {
  name: 'notes',
  documented: 'In HTML, notes are links',
  rule: (from, to) => (pages.includes(from) && structured.includes(to) ? 'dropped' : among(laid)(from, to)),
  read: reading('notes'),
  differs: async (wanted, got, subject) => {
    if (got) return lacks(wanted, got)
    const text = tokens((await writingOf(subject))!.text).join(' ')
    return lacks(wanted, [text], (note) => text.includes(tokens(note).join(' ')))
  },
}

/** Links with their words; in PDF, their addresses. */
const links: Feature<Writing['links'] & {}> = {
  name: 'links',
  documented: 'Plain text has no headings, links',
  rule: lostInText(toPdf),
  read: reading('links'),
  differs: (wanted, got, { format }) =>
    lacksShown(([text, address]) => (format === 'pdf' ? address : `${text} <${address}>`), wanted, got),
}

const described = (name: 'title' | 'author'): Feature<string> => ({
  name,
  documented: 'Plain text has no headings, links, emphasis, title and author',
  rule: lostInText(toPdf),
  read: async (subject) => (await writingOf(subject))?.[name] || undefined,
  differs: equal,
})

const emphasis = (name: 'bold' | 'italic'): Feature<readonly string[]> => ({
  name,
  documented: 'Plain text has no headings, links, emphasis',
  rule: lostInText(toPdf),
  read: reading(name),
  differs: (wanted, got = []) =>
    got.find((piece) => piece.length > 80) ?? lacks(wanted, got, (word, piece) => piece.includes(word)),
})

/** Paper in millimetres, within one; for targets with pages. */
const page: Feature<readonly [number, number]> = {
  name: 'page',
  rule: (from, to) =>
    ['html', 'md', 'epub', 'txt'].includes(from) ? undefined : among(['docx', 'odt', 'pdf'])(from, to),
  read: async (subject) => {
    const told = (await writingOf(subject))?.page
    return told?.every(Number.isFinite) ? told : undefined
  },
  differs: (wanted, got) => (allNear(wanted, got, () => 1) ? undefined : instead(wanted, got, ' mm')),
}

/** Features of text documents. */
export const documentFeatures: readonly Feature[] = [
  words,
  headings,
  items,
  tables,
  notes,
  links,
  described('title'),
  described('author'),
  emphasis('bold'),
  emphasis('italic'),
  page,
  pictures,
]
