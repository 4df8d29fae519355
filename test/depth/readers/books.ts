import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { marked } from 'marked'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import type { Subject } from '../family.ts'
import { isSource, once } from '../sight.ts'
import type { Book } from '../specimens/sheet-books.ts'
import { grid } from './html.ts'
import { all, type Element, parse, tidy, words } from './tree.ts'

/** What is found in a file: typed cells; records with names; cells as they are shown; or lines as they are shown. */
export interface Found extends Book {
  as: 'typed' | 'records' | 'shown' | 'lines'
  lines?: readonly string[]
  links?: readonly string[]
  notes?: readonly string[]
}

const script = join(import.meta.dirname, 'sheets.py')
/** The cells of a spreadsheet or of data, by libraries of Python: see `sheets.py`. */
export const bookIn = async (path: string, format: string): Promise<Book> =>
  JSON.parse((await program('/usr/bin/python3', script, path, format)).toString())

/** Separated values: a file, or a zip with one for each sheet, named `stem-Sheet.csv`. */
async function separated({ path, format, paged, specimen }: Subject): Promise<Book> {
  if (!paged) return bookIn(path, format)
  const stem = specimen.name.replace(/\..*/, '')
  return withFolder(async (folder) => {
    await program('unzip', '-q', path, '-d', folder)
    // The order in the archive is that of the sheets.
    const names = (await program('unzip', '-Z1', path)).toString().trim().split('\n')
    if (names.length !== (await readdir(folder)).length) throw new Error('files with equal names')
    const sheets = await Promise.all(
      names.map(async (name) => ({
        ...(await bookIn(join(folder, name), format)).sheets[0]!,
        name: name.slice(stem.length + 1, -format.length - 1),
      })),
    )
    return { sheets }
  })
}

/** A page: each table below a heading is a sheet. */
function paged(markup: string): Found {
  const tree = parse(markup, true)
  const notes = all(tree, 'comment').map((note) => words(note))
  const without = (element: Element): Element => ({
    ...element,
    children: element.children.flatMap((child) =>
      typeof child === 'string' ? child : child.name === 'comment' ? [] : without(child),
    ),
  })
  const shown = without(tree)
  const headings = all(shown, 'h1', 'h2').map((one) => words(one))
  const names = headings.filter((name) => name !== 'Overview').map((name) => name.replace(/^Sheet \d+: /, ''))
  const text = (value: string) => (value === '' ? null : { kind: 'text' as const, value, shown: value })
  const sheets = all(shown, 'table').map((table, index) => ({
    name: names[index] ?? '',
    rows: grid(table).map((row) => row.map(text)),
  }))
  const meta = all(shown, 'meta').find(({ attributes }) => attributes.name === 'author')?.attributes.content
  const title = all(shown, 'title')[0]
  return {
    as: 'shown',
    sheets,
    notes,
    links: all(shown, 'a').flatMap(({ attributes }) => attributes.href ?? []),
    ...(title && { title: words(title) }),
    ...(meta && { author: meta }),
  }
}

async function printed(path: string): Promise<Found> {
  const laid = (await program('pdftotext', '-layout', path, '-')).toString()
  const field = async (name: string) =>
    new RegExp(`^${name}:\\s+(.+)$`, 'm').exec((await program('pdfinfo', path)).toString())?.[1] ?? ''
  const outline = (await program('mutool', 'show', path, 'outline')).toString()
  const names = [...outline.matchAll(/^[|+-]\t"(.*)"\t/gm)].map(([, name]) => name!)
  const urls = (await program('pdfinfo', '-url', path)).toString()
  const raw = (await program('mutool', 'show', '-g', path, 'grep')).toString()
  return {
    as: 'lines',
    lines: linesOf(laid),
    sheets: names.map((name) => ({ name, rows: [] })),
    title: await field('Title'),
    author: await field('Author'),
    links: [...urls.matchAll(/Annotation\s+(\S+)/g)].map(([, address]) => address!),
    notes: [...raw.matchAll(/\/Contents<([0-9A-F]+)>.*\/Subtype\/Text\b/g)].map(([, hex]) =>
      Buffer.from(hex!, 'hex').swap16().toString('utf16le').slice(1),
    ),
  }
}

/** Lines without marks of direction. */
const linesOf = (text: string) =>
  text.split(/[\n\f]/).map((line) => tidy(line.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')))

async function found(subject: Subject): Promise<Found | undefined> {
  const { path, format } = subject
  if (['xlsx', 'xlsm', 'ods', 'fods'].includes(format)) return { as: 'typed', ...(await bookIn(path, format)) }
  if (format === 'xls') return { as: 'typed', ...(await bookIn(path, format)), ...(await described(path)) }
  if (format === 'csv' || format === 'tsv') return { as: 'shown', ...(await separated(subject)) }
  if (format === 'json' || format === 'yaml') return { as: 'records', ...(await bookIn(path, format)) }
  if (format === 'html') return paged(await readFile(path, 'utf8'))
  if (format === 'md') return paged(await marked((await readFile(path, 'utf8')).replace(/^---\n[\s\S]*?\n---\n/, '')))
  if (format === 'txt') return { as: 'lines', sheets: [], lines: linesOf(await readFile(path, 'utf8')) }
  return format === 'pdf' ? printed(path) : undefined
}

/** Title and author of an old workbook. */
async function described(path: string): Promise<Partial<Book>> {
  const [{ Title: title, Author: author }] = JSON.parse(
    (await program('exiftool', '-j', '-Title', '-Author', path)).toString(),
  )
  return { title, author }
}

/** Reads a result. Undefined for a specimen, which states what it has, and for formats without a reader. */
export const bookOf = once(async (subject) => (isSource(subject) ? undefined : found(subject)))

/** Reads an old workbook by way of Gnumeric, for its formulas. */
export const formulasOf = (path: string): Promise<Book> =>
  withFolder(async (folder) => {
    await program('ssconvert', '-T', 'Gnumeric_Excel:xlsx2', path, join(folder, 'book.xlsx'))
    return bookIn(join(folder, 'book.xlsx'), 'xlsx')
  })
