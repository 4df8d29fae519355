import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { wordsOf } from '../../fixtures/book.ts'
import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import type { Book } from '../../matrix/book.ts'
import { members } from '../../matrix/document/text.ts'
import { readBook } from '../../matrix/read-book.ts'
import type { Feature, Subject } from '../family.ts'
import { isSource } from '../sight.ts'

const paper = ['pdf']
/** By subject: results of different conversions can have the same path. */
const known = new WeakMap<Subject, Promise<Book>>()

/** Reads a result by another program than its writer. */
function bookOf(subject: Subject): Promise<Book> {
  const book = known.get(subject) ?? opened(subject.path, subject.format)
  known.set(subject, book)
  return book
}

async function opened(path: string, format: string): Promise<Book> {
  if (!paper.includes(format)) return withFolder((folder) => readBook(path, format, folder))
  const text = (await program('pdftotext', '-nopgbrk', path, '-')).toString()
  const facts = (await program('pdfinfo', path)).toString()
  const fact = (name: string) => new RegExp(`^${name}: *(.*)$`, 'm').exec(facts)?.[1] ?? ''
  const outline = (await program('mutool', 'show', path, 'outline')).toString()
  const contents = [...outline.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, heading]) => heading!)
  const page = await program('pdftoppm', '-r', 40, '-f', 1, '-l', 1, '-png', path)
  return { title: fact('Title'), author: fact('Author'), text, contents, pictures: [page] }
}

const read =
  <Value>(pick: (book: Book) => Value) =>
  async (subject: Subject) =>
    isSource(subject) ? undefined : pick(await bookOf(subject))
const always = () => 'kept' as const
const flat = (text: string) =>
  text
    .normalize('NFC')
    .replace(/\u00ad/g, '')
    .replace(/\s+/g, ' ')

const words: Feature<string> = {
  name: 'words',
  rule: always,
  read: read(({ text }) => text),
  differs: (wanted, got = '') => {
    const found = wordsOf(got)
    const lost = [...wordsOf(wanted)].filter((word) => !found.has(word))
    return lost.length > wordsOf(wanted).size * 0.02 ? `lost ${lost.slice(0, 6).join(' ')}` : undefined
  },
}

/** Beginnings of paragraphs, one after the other. */
const order: Feature<readonly string[]> = {
  name: 'order',
  rule: always,
  read: read(({ text }) => [flat(text)]),
  differs: (wanted, got = []) => {
    let at = 0
    for (const start of wanted) {
      const next = (got[0] ?? '').indexOf(start, at)
      if (next < 0) return `"${start}" is not in its place`
      at = next
    }
    return undefined
  },
}

const contents: Feature<readonly string[]> = {
  name: 'contents',
  rule: always,
  read: read((book) => book.contents),
  differs: (wanted, got = []) => {
    const lost = wanted.filter((heading) => !got.includes(heading))
    return lost.length > 0 ? `the table of contents lacks ${lost.join(', ')}: ${got.join(', ')}` : undefined
  },
}

const told = (name: 'title' | 'author'): Feature<string> => ({
  name,
  rule: always,
  read: read((book) => book[name]),
  differs: (wanted, got) => (wanted === got ? undefined : `${name} ${got} instead of ${wanted}`),
})

/** The cover is red over blue. In a PDF it is the first page. */
const cover: Feature<string> = {
  name: 'cover',
  rule: always,
  read: read(() => ''),
  differs: async (_, __, result) => {
    const { cover: marked, pictures } = await bookOf(result)
    const picture = result.format === 'pdf' ? pictures[0] : marked
    if (!picture) return 'there is no cover'
    const { data } = await sharp(picture)
      .removeAlpha()
      .resize(3, 8, { fit: 'fill' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const [above, below] = [2, 5].map((row) => data.subarray((row * 3 + 1) * 3, (row * 3 + 2) * 3))
    return above![0]! > 150 && above![2]! < 100 && below![2]! > 130 && below![0]! < 100
      ? undefined
      : `the cover is ${[...above!]} over ${[...below!]}`
  },
}

/** Markup of the chapters of an EPUB. */
const markupOf = (subject: Subject) => members(subject.path, '*htm*')
const inBooks = (_: string, to: string) => (to === 'epub' ? ('kept' as const) : undefined)

const language: Feature<string> = {
  name: 'language',
  rule: inBooks,
  read: async (subject) =>
    isSource(subject) ? undefined : /<dc:language[^>]*>([^<]*)</.exec(await members(subject.path, '*.opf'))?.[1],
  differs: (wanted, got) => (got?.slice(0, 2) === wanted ? undefined : `language ${got} instead of ${wanted}`),
}

/** Number of pictures in the text. */
const pictures: Feature<number> = {
  name: 'pictures',
  rule: inBooks,
  read: async (subject) => (isSource(subject) ? undefined : (await markupOf(subject)).match(/<img\b/g)?.length),
  differs: (wanted, got = 0) => (got >= wanted ? undefined : `${got} pictures instead of ${wanted}`),
}

const links: Feature<readonly string[]> = {
  name: 'links',
  rule: (_, to) => (to === 'epub' || to === 'pdf' ? 'kept' : undefined),
  read: async (subject) => {
    if (isSource(subject)) return undefined
    const raw =
      subject.format === 'pdf' ? (await program('pdfinfo', '-url', subject.path)).toString() : await markupOf(subject)
    return raw.match(/https?:\/\/[^\s"<>]+/g) ?? []
  },
  differs: (wanted, got = []) =>
    wanted.every((link) => got.includes(link)) ? undefined : `links lead to ${got.join(', ') || 'nowhere'}`,
}

/** The slanted word and the heavy one. */
const emphasis: Feature<readonly [string, string]> = {
  name: 'emphasis',
  rule: inBooks,
  read: async (subject) => {
    if (isSource(subject)) return undefined
    const markup = await markupOf(subject)
    const of = (names: string) => new RegExp(`<(?:${names})\\b[^>]*>([^<]*)<`).exec(markup)?.[1] ?? ''
    return [of('em|i'), of('strong|b')]
  },
  differs: (wanted, got) => (`${wanted}` === `${got}` ? undefined : `${got} instead of ${wanted}`),
}

/** The green of each page of a comic, in their order. */
const pages: Feature<readonly number[]> = {
  name: 'pages',
  rule: (_, to) => (to === 'pdf' || to === 'cbz' || to === 'epub' ? 'kept' : undefined),
  read: async (subject) => {
    if (isSource(subject)) return undefined
    if (subject.format === 'pdf') return withFolder((folder) => printed(subject.path, folder))
    const { pictures: found } = await bookOf(subject)
    return Promise.all(
      found.map(async (picture) => Math.round((await sharp(picture).removeAlpha().stats()).channels[1]!.mean)),
    )
  },
  differs: (wanted, got = []) => {
    const shown = got.filter((green, at) => at === 0 || green !== got[at - 1])
    const isSame = wanted.every((green, at) => Math.abs(green - (shown[at] ?? 0)) < 12)
    return isSame ? undefined : `greens ${got} instead of ${wanted}`
  },
}

async function printed(path: string, folder: string): Promise<number[]> {
  await program('pdftoppm', '-r', 20, '-png', path, `${folder}/page`)
  const greens = [1, 2, 3].map(
    async (page) => (await sharp(await readFile(`${folder}/page-${page}.png`)).stats()).channels[1]!.mean,
  )
  return (await Promise.all(greens)).map(Math.round)
}

/** Features of books. */
export const ebookFeatures: readonly Feature[] = [
  ...[words, order, contents, told('title'), told('author'), cover, language, pictures, links, emphasis, pages],
]
