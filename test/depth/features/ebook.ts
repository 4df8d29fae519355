import { program } from '../../fixtures/program.ts'
import { withFolder } from '../../harness/folder.ts'
import { type Book, picturesIn } from '../../matrix/book.ts'
import { members } from '../../matrix/document/text.ts'
import { coverFault, greensOf, lostWords, misplaced } from '../../matrix/ebook.ts'
import { readBook } from '../../matrix/read-book.ts'
import type { Feature, Subject } from '../family.ts'
import { isSource, once } from '../sight.ts'

/** Reads a result by another program than its writer. */
const bookOf = once(async ({ path, format }): Promise<Book> => {
  if (format !== 'pdf') return withFolder((folder) => readBook(path, format, folder))
  const text = (await program('pdftotext', '-nopgbrk', path, '-')).toString()
  const facts = (await program('pdfinfo', path)).toString()
  const fact = (name: string) => new RegExp(`^${name}: *(.*)$`, 'm').exec(facts)?.[1] ?? ''
  const outline = (await program('mutool', 'show', path, 'outline')).toString()
  const contents = [...outline.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, heading]) => heading!)
  return { title: fact('Title'), author: fact('Author'), text, contents, pictures: await pagesOf(path) }
})

/** At most three pages of a PDF. */
const pagesOf = (path: string) =>
  withFolder(async (folder) => {
    await program('pdftoppm', '-r', 30, '-l', 3, '-png', path, `${folder}/page`)
    return picturesIn(folder)
  })

/** Markup of the chapters of an EPUB. */
const markupOf = ({ path }: Subject) => members(path, '*htm*')

/** A feature of results in some formats; specimens state it. */
const part = <Wanted, Got>(
  name: string,
  targets: readonly string[] | undefined,
  read: (subject: Subject) => Promise<Got> | Got,
  differs: (wanted: Wanted, got: Got, result: Subject) => string | undefined | Promise<string | undefined>,
): Feature => ({
  name,
  rule: (_, to) => (targets === undefined || targets.includes(to) ? 'kept' : undefined),
  read: async (subject) => (isSource(subject) ? undefined : await read(subject)),
  differs,
})
const ofBook = <Wanted, Got>(
  name: string,
  pick: (book: Book) => Got,
  differs: (wanted: Wanted, got: Got) => string | undefined,
) => part(name, undefined, async (subject) => pick(await bookOf(subject)), differs)

const equal = <Value>(wanted: Value, got: Value) =>
  `${wanted}` === `${got}` ? undefined : `${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`
const among = (wanted: readonly string[], got: readonly string[]) => {
  const lost = wanted.filter((one) => !got.includes(one))
  return lost.length > 0 ? `no ${lost.join(', ')} among ${got.join(', ')}` : undefined
}

/** Features of books. */
export const ebookFeatures: readonly Feature[] = [
  ofBook('words', ({ text }) => text, lostWords),
  /** Beginnings of paragraphs, one after the other. */
  ofBook('order', ({ text }) => text, misplaced),
  ofBook('contents', ({ contents }) => contents, among),
  ofBook('title', ({ title }) => title, equal<string>),
  ofBook('author', ({ author }) => author, equal<string>),
  /** In a PDF, the cover is the first page. */
  part(
    'cover',
    undefined,
    async (subject) => (await bookOf(subject))[subject.format === 'pdf' ? 'pictures' : 'cover'],
    (_, got) => coverFault(Array.isArray(got) ? got[0] : got),
  ),
  part(
    'language',
    ['epub'],
    async ({ path }) => /<dc:language[^>]*>([^<]*)</.exec(await members(path, '*.opf'))?.[1]?.slice(0, 2),
    equal<string | undefined>,
  ),
  /** Number of pictures in the text. */
  part(
    'pictures',
    ['epub'],
    async (subject) => (await markupOf(subject)).match(/<img\b/g)?.length ?? 0,
    (wanted: number, got) => (got >= wanted ? undefined : `${got} pictures instead of ${wanted}`),
  ),
  part(
    'links',
    ['epub', 'pdf'],
    async (subject) => {
      const isPdf = subject.format === 'pdf'
      const raw = isPdf ? (await program('pdfinfo', '-url', subject.path)).toString() : await markupOf(subject)
      return raw.match(/https?:\/\/[^\s"<>]+/g) ?? []
    },
    among,
  ),
  /** The slanted word and the heavy one. */
  part(
    'emphasis',
    ['epub'],
    async (subject) => {
      const markup = await markupOf(subject)
      return ['em|i', 'strong|b'].map((names) => new RegExp(`<(?:${names})\\b[^>]*>([^<]*)<`).exec(markup)?.[1] ?? '')
    },
    equal<readonly string[]>,
  ),
  /** The green of each page of a comic, in their order. */
  part(
    'pages',
    ['pdf', 'cbz', 'epub'],
    async (subject) => greensOf((await bookOf(subject)).pictures),
    (wanted: readonly number[], got) => {
      const shown = got.filter((green, at) => at === 0 || green !== got[at - 1])
      const isSame = wanted.every((green, at) => Math.abs(green - (shown[at] ?? 0)) < 12)
      return isSame ? undefined : `greens ${got} instead of ${wanted}`
    },
  ),
]
