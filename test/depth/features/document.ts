import type { Feature } from '../family.ts'
import type { Writing } from '../readers/writing.ts'
import { tokens } from '../tokens.ts'
import { pictures } from './document-pictures.ts'
import { words } from './document-words.ts'
import { kept, laid, listed, lostInText, pages, reading, structured, toPdf, writingOf } from './document-writing.ts'

/** Headings and their levels; in PDF, larger letters. */
const headings: Feature<Writing['headings'] & {}> = {
  name: 'headings',
  documented: 'Plain text has no headings',
  rule: (from, to) => (from === 'txt' ? undefined : lostInText(toPdf)(from, to)),
  read: reading('headings'),
  differs: (wanted, got = [], { format }) => {
    // Styles can show capitals on paper.
    const shown = ([level, text]: readonly [number, string]) =>
      format === 'pdf' ? text.toLowerCase() : `${level} ${text}`
    const found = got.map(shown)
    const lost = wanted.map(shown).filter((heading) => !found.includes(heading))
    // A title above the text, and an author below it, can be headings, too.
    const isMore = format !== 'pdf' && got.length > wanted.length + 2
    return lost.length > 0 || isMore ? `no ${listed(lost)} among ${listed(found)}` : undefined
  },
}

/** Items of lists, numbered or not. */
const items: Feature<Writing['items'] & {}> = {
  name: 'lists',
  rule: kept(structured),
  read: reading('items'),
  differs: (wanted, got = []) => {
    const shown = ([ordered, text]: readonly [boolean, string]) => `${ordered ? '1.' : '-'} ${text}`
    const found = got.map(shown)
    const lost = wanted.map(shown).filter((item) => !found.includes(item))
    return lost.length > 0 ? `no ${listed(lost)} among ${listed(found)}` : undefined
  },
}

type Table = readonly (readonly string[])[]
const sameCells = (one: Table, other: Table) => JSON.stringify(one) === JSON.stringify(other)

/** Tables cell by cell; in PDF and plain text, cells of a row on one line. */
const tables: Feature<readonly Table[]> = {
  name: 'tables',
  rule: kept(laid),
  read: reading('tables'),
  differs: async (wanted, got, subject) => {
    if (got) {
      const lost = wanted.filter((table) => !got.some((other) => sameCells(table, other)))
      return lost.length > 0 ? `${JSON.stringify(got)} instead of ${JSON.stringify(lost)}` : undefined
    }
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
  rule: (from, to) => (pages.includes(from) && structured.includes(to) ? 'dropped' : kept(laid)(from, to)),
  read: reading('notes'),
  differs: async (wanted, got, subject) => {
    const text = tokens((await writingOf(subject))!.text).join(' ')
    const isThere = (note: string) => (got ? got.includes(note) : text.includes(tokens(note).join(' ')))
    const lost = wanted.filter((note) => !isThere(note))
    return lost.length > 0 ? `no ${listed(lost)} among ${listed(got ?? [])}` : undefined
  },
}

/** Links with their words; in PDF, their addresses. */
const links: Feature<Writing['links'] & {}> = {
  name: 'links',
  documented: 'Plain text has no headings, links',
  rule: lostInText(toPdf),
  read: reading('links'),
  differs: (wanted, got = [], { format }) => {
    const shown = ([text, address]: readonly [string, string]) => (format === 'pdf' ? address : `${text} <${address}>`)
    const found = got.map(shown)
    const lost = wanted.map(shown).filter((link) => !found.includes(link))
    return lost.length > 0 ? `no ${listed(lost)} among ${listed(found)}` : undefined
  },
}

const described = (name: 'title' | 'author'): Feature<string> => ({
  name,
  documented: 'Plain text has no headings, links, emphasis, title and author',
  rule: lostInText(toPdf),
  read: async (subject) => (await writingOf(subject))?.[name] || undefined,
  differs: (wanted, got) =>
    got === wanted ? undefined : `${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`,
})

const emphasis = (name: 'bold' | 'italic'): Feature<readonly string[]> => ({
  name,
  documented: 'Plain text has no headings, links, emphasis',
  rule: lostInText(toPdf),
  read: reading(name),
  differs: (wanted, got = []) => {
    const lost = wanted.filter((word) => !got.some((piece) => piece.includes(word)))
    const isAll = got.some((piece) => piece.length > 80)
    return lost.length > 0 || isAll ? `no ${listed(lost)} among ${listed(got.slice(0, 9))}` : undefined
  },
})

/** Paper in millimetres, within one; for targets with pages. */
const page: Feature<readonly [number, number]> = {
  name: 'page',
  rule: (from, to) =>
    ['html', 'md', 'epub', 'txt'].includes(from) ? undefined : kept(['docx', 'odt', 'pdf'])(from, to),
  read: async (subject) => {
    const told = (await writingOf(subject))?.page
    return told?.every(Number.isFinite) ? told : undefined
  },
  differs: (wanted, got) =>
    wanted.every((side, axis) => Math.abs(side - (got?.[axis] ?? 0)) <= 1)
      ? undefined
      : `${got?.map(Math.round)} mm instead of ${wanted.map(Math.round)}`,
}

/** Features of text documents. */
export const documentFeatures: readonly Feature[] = [
  ...[words, headings, items, tables, notes, links],
  ...[described('title'), described('author'), emphasis('bold'), emphasis('italic'), page, pictures],
]
