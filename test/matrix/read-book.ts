import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { program } from '../fixtures/program.ts'
import { type Book, files, picturesIn, plain, readFictionBook, readMetadata, readPackage } from './book.ts'
import { readRocketBook } from './rocketbook.ts'

type Reader = (path: string, folder: string) => Promise<Book>

const unzip = (path: string, folder: string) => program('unzip', '-qq', '-o', path, '-d', folder)

const none = { title: '', author: '', text: '', contents: [], pictures: [] }

/** Mobipocket, its successor and PalmDoc, by libmobi. */
const mobi: Reader = async (path, folder) => {
  await mkdir(folder, { recursive: true })
  await program('mobitool', '-s', '-o', folder, path)
  return readPackage(folder)
}

const epub: Reader = async (path, folder) => {
  await unzip(path, folder)
  return readPackage(folder)
}

const lit: Reader = async (path, folder) => {
  await program('clit', path, `${folder}/`)
  return readPackage(folder)
}

/** Books in a zip, with metadata in a package document. */
const loose =
  (name: string, read: (text: string) => string): Reader =>
  async (path, folder) => {
    await unzip(path, folder)
    const text = read(await readFile(join(folder, name), 'utf8'))
    return { ...none, ...(await readMetadata(folder)), text, pictures: await picturesIn(folder) }
  }

/** Palm Markup Language: letters as numbers in Windows-1252 or Unicode. */
const pmlz: Reader = async (path, folder) => {
  await unzip(path, folder)
  const pages = (await files(folder)).filter((name) => name.endsWith('.pml'))
  const raw = (await Promise.all(pages.map((name) => readFile(name, 'latin1')))).join('\n')
  const text = raw
    .replace(/\\a(\d{3})/g, (_, code) => new TextDecoder('windows-1252').decode(Uint8Array.of(+code)))
    .replace(/\\U([0-9a-f]{4})/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
  const contents = [...text.matchAll(/\\x(.*?)\\x/g)].map(([, heading]) => heading!.replace(/\\[A-Za-z]/g, '').trim())
  return { ...none, text: text.replace(/\\[A-Za-z](?:="[^"]*")?/g, ' '), contents, pictures: await picturesIn(folder) }
}

const rb: Reader = async (path) => {
  const bytes = await readFile(path)
  const parts = readRocketBook(bytes)
  const info = parts.find(({ name }) => name.endsWith('.info'))?.text ?? ''
  const fact = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(info)?.[1] ?? ''
  const text = parts.filter(({ name }) => name.endsWith('.html')).map((part) => plain(part.text))
  const at = bytes.indexOf(Buffer.from('\x89PNG\r\n', 'latin1'))
  return {
    ...none,
    title: fact('TITLE'),
    author: fact('AUTHOR'),
    text: text.join('\n'),
    pictures: at < 0 ? [] : [bytes.subarray(at)],
  }
}

/** Only calibre can read it: calibre outside the service. */
const lrf: Reader = async (path, folder) => {
  await mkdir(folder, { recursive: true })
  const book = join(folder, 'again.epub')
  await program('setsid', '--wait', 'ebook-convert', path, book, '--no-default-epub-cover')
  return epub(book, join(folder, 'again'))
}

const cbz: Reader = async (path, folder) => {
  await unzip(path, folder)
  return { ...none, pictures: await picturesIn(folder) }
}

const readers: Readonly<Record<string, Reader>> = {
  epub,
  mobi,
  azw3: mobi,
  pdb: mobi,
  lit,
  pmlz,
  rb,
  lrf,
  cbz,
  fb2: async (path) => readFictionBook(await readFile(path, 'utf8')),
  htmlz: loose('index.html', plain),
  txtz: loose('index.txt', (text) => text),
}

/** Reads a book with another program than its writer, if there is one. `folder` is for its parts. */
export async function readBook(path: string, format: string, folder: string): Promise<Book> {
  const reader = readers[format]
  if (!reader) throw new Error(`no reader of ${format}`)
  // mobitool and clit name their output after the folder or the file.
  return reader(path, join(folder, 'parts'))
}
