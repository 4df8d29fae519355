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
import { Unlike, type Verdict } from './verdict.ts'

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
  ...{ docx: { cover: 'none' }, odt: { cover: 'none' }, html: { cover: 'none' }, mht: { cover: 'none' } },
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
  const [source, target] = [
    { ...whole, ...sources[from] },
    { ...whole, ...targets[to] },
  ]
  return {
    letters: least(alphabets, source.letters, target.letters),
    title: source.title && target.title,
    author: source.author && target.author,
    contents: source.contents && target.contents,
    cover: least(covers, source.cover, target.cover),
    ...pairs[`${from}>${to}`],
  }
}

/** Words of the source that may be missing in a result: those split by a line or a page. */
const RECALL = 0.98

/**
 * Compares a book with its source: words, title, author, table of contents and cover, or the pages of a
 * comic.
 *
 * @throws Unlike if something differs, and the reader's error if it cannot read the file.
 */
export async function verifyEbook(path: string, to: string, source: Sample): Promise<Verdict> {
  const from = extname(source.path).slice(1)
  return withFolder(async (folder) => {
    const book = await readBook(path, to, folder)
    if (source.content === 'scan') return { recall: verifyScan(book) }
    if (comics.includes(from)) await verifyComic(book)
    else if (to === 'cbz') await verifyPages(book, source.path, folder)
    else return { recall: await verifyText(book, kept(from, to)) }
    return {}
  })
}

/** Returns the share of the words of a scanned page that are present. */
function verifyScan(book: Book): number {
  const share = recall(book.text, said.scan)
  if (share < RECALL) throw new Unlike(`${Math.round(share * 100)} % of the words of the scan`)
  return share
}

/** Returns the share of the words that are present. */
async function verifyText(book: Book, expected: Kept): Promise<number> {
  const told = chapters(expected.letters)
  const words = wordsOf(told.flatMap(({ heading, paragraphs }) => [heading, ...paragraphs]).join('\n'))
  const found = wordsOf(book.text)
  const missed = [...words].filter((word) => !found.has(word))
  if (missed.length > words.size * (1 - RECALL))
    throw new Unlike(`${missed.length} of ${words.size} words are missing: ${missed.slice(0, 8).join(' ')}`)
  inOrder(book.text, told)

  if (expected.title && book.title !== title) throw new Unlike(`the title is ${JSON.stringify(book.title)}`)
  if (expected.author && book.author !== author) throw new Unlike(`the author is ${JSON.stringify(book.author)}`)
  const lacking = told.map(({ heading }) => heading).filter((heading) => !book.contents.includes(heading))
  if (expected.contents && lacking.length > 0)
    throw new Unlike(`the table of contents lacks ${lacking.join(', ')}: ${JSON.stringify(book.contents)}`)
  if (expected.cover === 'marked') await verifyCover(book.cover)
  if (expected.cover === 'shown' || expected.cover === 'grey')
    await verifyCover(book.pictures[0], expected.cover === 'grey')
  return 1 - missed.length / words.size
}

/** Checks that the first words of the paragraphs are in order. */
function inOrder(text: string, told: ReturnType<typeof chapters>) {
  const flat = text.replace(/\s+/g, ' ')
  let at = 0
  for (const start of told.flatMap(({ paragraphs }) =>
    paragraphs.map((line) => line.split(' ').slice(0, 3).join(' ')),
  )) {
    const next = flat.indexOf(start, at)
    if (next < 0) throw new Unlike(`"${start}" is not in its place`)
    at = next
  }
}

/** Checks the cover: red over blue, higher than wide. */
async function verifyCover(cover: Buffer | undefined, grey = false) {
  if (!cover) throw new Unlike('there is no cover')
  const { data, info } = await sharp(cover).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const pixel = (y: number) => [...data.subarray((y * info.width + (info.width >> 1)) * info.channels).subarray(0, 3)]
  const [top, bottom] = [pixel(info.height >> 2), pixel((info.height * 3) >> 2)]
  const shape = info.height / info.width
  const coloured = top[0]! > 160 && top[2]! < 90 && bottom[2]! > 140 && bottom[0]! < 90
  if (!(grey ? top[0]! > bottom[0]! + 8 : coloured) || shape < 1.2 || shape > 1.5)
    throw new Unlike(`the cover is ${info.width} × ${info.height}, ${top} over ${bottom}`)
}

/** Checks every page of the comic, in order: each is a darker green. */
async function verifyComic({ pictures }: Book) {
  const greens: number[] = []
  for (const picture of pictures) {
    const { channels } = await sharp(picture).removeAlpha().stats()
    greens.push(channels[1]!.mean)
  }
  for (let index = 0; index < comicPages; index++)
    if (!greens.some((green) => Math.abs(green - (220 - 60 * index)) < 12))
      throw new Unlike(`page ${index + 1} is missing: ${greens.map(Math.round)}`)
}

/** Renders every page of a document with another program. */
async function verifyPages({ pictures }: Book, document: string, folder: string) {
  const pattern = join(folder, 'page-%03d.png')
  await program(
    'gs',
    '-q',
    '-dSAFER',
    '-dBATCH',
    '-sDEVICE=png16m',
    '-r150',
    '-dTextAlphaBits=4',
    '-o',
    pattern,
    document,
  )
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
