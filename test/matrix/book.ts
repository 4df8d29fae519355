import { readdir, readFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { unescaped } from './document/text.ts'

/** The content of a book. */
export interface Book {
  title: string
  author: string
  text: string
  /** Headings in the table of contents. */
  contents: string[]
  cover?: Buffer
  /** All pictures, in the order of their names. */
  pictures: Buffer[]
}

/** Text without tags. Tags of blocks separate words. */
export function plain(markup: string): string {
  const text = markup
    .replace(/<(head|style|script)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<\/?(a|b|i|u|em|strong|span|font|small|big)\b[^>]*>/gi, '')
    .replace(/<[^>]*>/g, ' ')
  return unescaped(text.replaceAll('&nbsp;', ' '))
}

const attribute = (tag: string, name: string) => unescaped(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
const tags = (xml: string, name: string) => xml.match(new RegExp(`<${name}\\b[^>]*>`, 'gi')) ?? []
const element = (xml: string, name: string) =>
  plain(new RegExp(`<${name}\\b[^>]*>([\\s\\S]*?)</${name}>`, 'i').exec(xml)?.[1] ?? '').trim()

/** Lists all files below a folder, by relative path. */
export async function files(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort(new Intl.Collator('en', { numeric: true }).compare)
}

/** Lists the pictures below a folder. */
export const picturesIn = async (folder: string) =>
  Promise.all((await files(folder)).filter((name) => /\.(jpe?g|png|gif)$/i.test(name)).map((name) => readFile(name)))

/** Reads an unpacked book by its package document (Open Packaging Format 1.0 and 2.0). */
export async function readPackage(folder: string): Promise<Book> {
  const names = await files(folder)
  const place = names.find((name) => extname(name) === '.opf')
  if (!place) throw new Error('there is no package document')
  const opf = await readFile(place, 'utf8')
  const items = new Map(
    tags(opf, 'item').map((tag) => [
      attribute(tag, 'id'),
      { path: join(dirname(place), decodeURI(attribute(tag, 'href'))), type: attribute(tag, 'media-type') },
    ]),
  )
  const spine = tags(opf, 'itemref').map((tag) => items.get(attribute(tag, 'idref'))?.path ?? '')
  const text = await Promise.all(spine.map((path) => readFile(path, 'utf8')))
  const ncx = [...items.values()].find(({ type }) => type === 'application/x-dtbncx+xml')
  const cover = tags(opf, 'meta').find((tag) => attribute(tag, 'name') === 'cover')
  const image = cover && items.get(attribute(cover, 'content'))
  return {
    title: element(opf, 'dc:title'),
    author: element(opf, 'dc:creator'),
    text: text.map(plain).join('\n'),
    contents: ncx
      ? [...(await readFile(ncx.path, 'utf8')).matchAll(/<navLabel>\s*<text>([\s\S]*?)<\/text>/g)].map(([, label]) =>
          plain(label!).trim(),
        )
      : tags(opf, 'site').map((tag) => attribute(tag, 'title')),
    ...(image && { cover: await readFile(image.path) }),
    pictures: await picturesIn(folder),
  }
}

/** Reads title, author and cover from a package document without chapters. */
export async function readMetadata(folder: string): Promise<Pick<Book, 'title' | 'author' | 'cover'>> {
  const opf = await readFile(join(folder, 'metadata.opf'), 'utf8')
  const reference = tags(opf, 'reference').find((tag) => attribute(tag, 'type') === 'cover')
  const cover = reference && (await readFile(join(folder, attribute(reference, 'href'))))
  return { title: element(opf, 'dc:title'), author: element(opf, 'dc:creator'), ...(cover && { cover }) }
}

/** Reads FictionBook 2. */
export function readFictionBook(xml: string): Book {
  const binaries = new Map(
    [...xml.matchAll(/<binary\b([^>]*)>([\s\S]*?)<\/binary>/g)].map(([, tag, data]) => [
      attribute(tag!, 'id'),
      Buffer.from(data!, 'base64'),
    ]),
  )
  const page = /<coverpage>([\s\S]*?)<\/coverpage>/.exec(xml)?.[1]
  const cover = page && binaries.get(/href="#([^"]*)"/.exec(page)?.[1] ?? '')
  const body = /<body>([\s\S]*)<\/body>/.exec(xml)?.[1] ?? ''
  return {
    title: element(xml, 'book-title'),
    author: `${element(xml, 'first-name')} ${element(xml, 'last-name')}`,
    text: plain(body),
    contents: [...body.matchAll(/<title>([\s\S]*?)<\/title>/g)].map(([, title]) =>
      plain(title!).replace(/\s+/g, ' ').trim(),
    ),
    ...(cover && { cover }),
    pictures: [...binaries.values()],
  }
}
