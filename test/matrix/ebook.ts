import { extname, join } from 'node:path'
import sharp from 'sharp'
import { comics } from '../../plugins/formats/book.ts'
import { author, chapters, comicPages, type Letters, title, wordsOf } from '../fixtures/book.ts'
import { program } from '../fixtures/program.ts'
import type { Sample } from '../fixtures/sample.ts'
import { recall, said } from '../fixtures/story.ts'
import { withFolder } from '../harness/folder.ts'
import { type Book, files } from './book.ts'
import { readBook } from './read-book.ts'
import { Unlike } from './verdict.ts'

const covers = ['none', 'grey', 'shown', 'marked'] as const

/** What a format of books contains, or loses through a program that reads or writes it. */
interface Kept {
  letters: Letters
  /** Whether it has a title and an author. */
  title: boolean
  author: boolean
  /** Whether it has a table of contents. */
  contents: boolean
  /** Whether it has a marked cover, or a cover as its first picture, in colour or not. */
  cover: (typeof covers)[number]
}

const whole: Kept = { letters: 'wide', title: true, author: true, contents: true, cover: 'marked' }

const sources: Readonly<Record<string, Partial<Kept>>> = {
  docx: { cover: 'none' },
  odt: { cover: 'none' },
  html: { cover: 'none' },
  mht: { cover: 'none' },
  md: { cover: 'none', author: false },
  rtf: { cover: 'none', contents: false },
  txt: { cover: 'none', contents: false, title: false, author: false },
  txtz: { contents: false },
  pdf: { letters: 'ascii', cover: 'none' },
  pdb: { letters: 'western', cover: 'none', contents: false, author: false },
  pmlz: { letters: 'western', cover: 'none' },
  rb: { letters: 'western', cover: 'none', contents: false },
  lrf: { cover: 'none' },
  chm: { cover: 'none', author: false },
}

const targets: Readonly<Record<string, Partial<Kept>>> = {
  htmlz: { contents: false },
  txtz: { contents: false, cover: 'shown' },
  pdb: { letters: 'western', contents: false, author: false, cover: 'none' },
  pmlz: { letters: 'western', title: false, author: false, contents: false, cover: 'shown' },
  rb: { letters: 'western', contents: false, cover: 'grey' },
  lrf: { cover: 'shown' },
}

/** Further losses of some pairs. */
const pairs: Readonly<Record<string, Partial<Kept>>> = {
  // Their lists contain places inside pages; a FictionBook lists sections.
  'pdf>fb2': { contents: false },
  'pmlz>fb2': { contents: false },
  'lrf>fb2': { contents: false },
}

const alphabets: readonly Letters[] = ['ascii', 'western', 'wide']
const least = <Value>(order: readonly Value[], one: Value, other: Value) =>
  order[Math.min(order.indexOf(one), order.indexOf(other))]!

/** How much of an ebook a conversion keeps. */
function kept(from: string, to: string): Kept {
  const source = { ...whole, ...sources[from] }
  const target = { ...whole, ...targets[to] }
  return {
    letters: least(alphabets, source.letters, target.letters),
    title: source.title && target.title,
    author: source.author && target.author,
    contents: source.contents && target.contents,
    cover: least(covers, source.cover, target.cover),
    ...pairs[`${from}>${to}`],
  }
}

/** Share of the words of the source that may be missing in a result: those split by a line or a page. */
const LOST = 0.02

/** Says which words a book lacks, if too many. */
function lostWords(wanted: string, text: string): string | undefined {
  const words = wordsOf(wanted)
  const found = wordsOf(text)
  const lost = [...words].filter((word) => !found.has(word))
  if (lost.length <= words.size * LOST) return undefined
  return `${lost.length} of ${words.size} words are missing: ${lost.slice(0, 8).join(' ')}`
}

/** Says which of the beginnings of paragraphs does not follow the one before. */
function misplaced(starts: readonly string[], text: string): string | undefined {
  const flat = text
    .normalize('NFC')
    .replace(/\u00ad/g, '')
    .replace(/\s+/g, ' ')
  let at = 0
  for (const start of starts) {
    at = flat.indexOf(start, at)
    if (at < 0) return `"${start}" is not in its place`
  }
  return undefined
}

/** Says what is wrong with a cover, which is red over blue. */
async function coverFault(cover: Buffer | undefined, grey = false): Promise<string | undefined> {
  if (!cover) return 'there is no cover'
  const data = await sharp(cover).removeAlpha().toColourspace('srgb').resize(3, 8, { fit: 'fill' }).raw().toBuffer()
  const [top, bottom] = [2, 5].map((row) => [...data.subarray((row * 3 + 1) * 3, (row * 3 + 2) * 3)])
  const coloured = top![0]! > 160 && top![2]! < 90 && bottom![2]! > 140 && bottom![0]! < 90
  return (grey ? top![0]! > bottom![0]! + 8 : coloured) ? undefined : `the cover is ${top} over ${bottom}`
}

/** Mean green of each picture. The pages of the comic are greens, each darker than the one before. */
export const greensOf = (pictures: readonly Buffer[]) =>
  Promise.all(pictures.map(async (one) => Math.round((await sharp(one).removeAlpha().stats()).channels[1]!.mean)))

/**
 * Compares a book with its source: words, title, author, table of contents and cover, or the pages of a
 * comic.
 *
 * @throws Unlike if something differs, and the reader's error if it cannot read the file.
 */
export async function verifyEbook(path: string, to: string, source: Sample): Promise<void> {
  const from = extname(source.path).slice(1)
  return withFolder(async (folder) => {
    const book = await readBook(path, to, folder)
    if (source.content === 'scan') verifyScan(book)
    else if (comics.includes(from)) await verifyComic(book)
    else if (to === 'cbz') await verifyPages(book, source.path, folder)
    else await verifyText(book, kept(from, to))
  })
}

/** Checks the words of a scanned page. */
function verifyScan(book: Book): void {
  const share = recall(book.text, said.scan)
  if (share < 1 - LOST) throw new Unlike(`${Math.round(share * 100)} % of the words of the scan`)
}

async function verifyText(book: Book, expected: Kept): Promise<void> {
  const told = chapters(expected.letters)
  const starts = told.flatMap(({ paragraphs }) => paragraphs.map((line) => line.split(' ').slice(0, 3).join(' ')))
  const lacking = told.map(({ heading }) => heading).filter((heading) => !book.contents.includes(heading))
  const shown = expected.cover === 'marked' ? book.cover : book.pictures[0]
  const faults = [
    lostWords(told.flatMap(({ heading, paragraphs }) => [heading, ...paragraphs]).join('\n'), book.text),
    misplaced(starts, book.text),
    expected.title && book.title !== title && `the title is ${JSON.stringify(book.title)}`,
    expected.author && book.author !== author && `the author is ${JSON.stringify(book.author)}`,
    expected.contents && lacking.length > 0 && `the contents lack ${lacking.join(', ')}: ${book.contents.join(', ')}`,
    expected.cover !== 'none' && ((await coverFault(shown, expected.cover === 'grey')) ?? (await shapeFault(shown!))),
  ].filter(Boolean)
  if (faults.length > 0) throw new Unlike(faults.join('; '))
}

/** A cover is higher than wide. */
async function shapeFault(cover: Buffer): Promise<string | undefined> {
  const { width, height } = await sharp(cover).metadata()
  return height / width < 1.2 || height / width > 1.5 ? `the cover is ${width} × ${height}` : undefined
}

/** Checks every page of the comic, in order. */
async function verifyComic({ pictures }: Book) {
  const greens = await greensOf(pictures)
  for (let index = 0; index < comicPages; index++)
    if (!greens.some((green) => Math.abs(green - (220 - 60 * index)) < 12))
      throw new Unlike(`page ${index + 1} is missing: ${greens}`)
}

/** Renders every page of a document with another program. */
async function verifyPages({ pictures }: Book, document: string, folder: string) {
  const pattern = join(folder, 'page-%03d.png')
  const device = ['-sDEVICE=png16m', '-r150', '-dTextAlphaBits=4', '-o', pattern]
  await program('gs', '-q', '-dSAFER', '-dBATCH', ...device, document)
  const drawn = (await files(folder)).filter((name) => /page-\d{3}\.png$/.test(name))
  if (pictures.length !== drawn.length) throw new Unlike(`${pictures.length} pages instead of ${drawn.length}`)
  for (const [index, name] of drawn.entries()) {
    const [wanted, got] = await Promise.all([name, pictures[index]!].map((picture) => sharp(picture).metadata()))
    const near = Math.abs(wanted!.width - got!.width) < 3 && Math.abs(wanted!.height - got!.height) < 3
    if (!near) throw new Unlike(`page ${index + 1} is ${got!.width} × ${got!.height}`)
    const [one, other] = await Promise.all([name, pictures[index]!].map(thumbnail))
    const difference = one!.reduce((sum, value, at) => sum + Math.abs(value - other![at]!), 0) / one!.length
    if (difference > 4) throw new Unlike(`page ${index + 1} differs by ${difference.toFixed(1)}`)
  }
}

const thumbnail = (picture: string | Buffer) =>
  sharp(picture).greyscale().resize(120, 160, { fit: 'fill' }).raw().toBuffer()
