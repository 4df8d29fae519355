import { copyFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { grow, type Item } from '../../fixtures/archive/tree.ts'
import { author, chapters, comicPage, type Letters, title } from '../../fixtures/book.ts'
import { ebook } from '../../fixtures/ebook.ts'
import { program } from '../../fixtures/program.ts'
import type { Specimen } from '../family.ts'

const specimen = (name: string, maker: string, truth: Record<string, unknown>, make: Specimen['make']): Specimen => ({
  name,
  from: name.slice(name.indexOf('.') + 1),
  maker,
  features: Object.keys(truth),
  truth,
  make,
})

/** The book of all text samples. */
const ledger = (letters: Letters = 'wide', ...lost: readonly string[]) => {
  const parts = chapters(letters)
  const truth = {
    words: parts.flatMap(({ heading, paragraphs }) => [heading, ...paragraphs]).join(' '),
    order: parts.flatMap(({ paragraphs }) => paragraphs.map((line) => line.split(' ').slice(0, 3).join(' '))),
    contents: parts.map(({ heading }) => heading),
    title,
    author,
    cover: 'red over blue',
  }
  return Object.fromEntries(Object.entries(truth).filter(([name]) => !lost.includes(name)))
}

const lines = ['Fünf *schräge* Wörter über **fette** Größen.', 'Ein [Verweis](https://example.org/ziel) und ein Bild.']
const markdown = `---\ntitle: Über Maße\nauthor: Käthe Öhm\nlang: de\n---\n\n# Erstens\n\n${lines[0]}\n\n![](dot.png)\n\n# Zweitens\n\n${lines[1]}\n\n- Punkt eins\n- Punkt zwei\n`
const german = {
  words: 'Erstens Fünf schräge Wörter über fette Größen Zweitens Ein Verweis und ein Bild Punkt eins Punkt zwei',
  order: ['Fünf schräge', 'Ein Verweis', 'Punkt eins', 'Punkt zwei'],
  contents: ['Erstens', 'Zweitens'],
  title: 'Über Maße',
  author: 'Käthe Öhm',
  language: 'de',
  pictures: 1,
  emphasis: ['schräge', 'fette'],
  links: ['https://example.org/ziel'],
}
const without = (truth: object, ...lost: readonly string[]) =>
  Object.fromEntries(Object.entries(truth).filter(([name]) => !lost.includes(name)))

/** Written by pandoc of Markdown. */
async function byPandoc(output: string, scratch: string, to: string): Promise<void> {
  await sharp({ create: { width: 40, height: 30, channels: 3, background: '#20a040' } })
    .png()
    .toFile(`${scratch}/dot.png`)
  await writeFile(`${scratch}/in.md`, markdown)
  await program('env', '-C', scratch, 'pandoc', '-f', 'markdown', '-t', to, 'in.md', '-o', output)
}

async function byCalibre(input: string, output: string, scratch: string, options: readonly string[]): Promise<void> {
  const extension = output.slice(output.lastIndexOf('.') + 1).replace('prc', 'mobi')
  await program('setsid', '--wait', 'ebook-convert', input, `${scratch}/out.${extension}`, ...options)
  await copyFile(`${scratch}/out.${extension}`, output)
}

/** Written by calibre, of the German book or of the ledger. */
const calibre = (name: string, of: 'german' | 'ledger', options: readonly string[], truth: Record<string, unknown>) =>
  specimen(name, 'calibre', truth, async (output, scratch) => {
    if (of === 'german') await byPandoc(`${scratch}/in.epub`, scratch, 'epub3')
    else await ebook.epub!.make(`${scratch}/in.epub`, scratch)
    await byCalibre(`${scratch}/in.epub`, output, scratch, options)
  })
const fixed = (format: string, maker: string, truth: Record<string, unknown>) =>
  specimen(`ledger.${format}`, maker, truth, ebook[format]!.make)

const plain = ['words', 'order', 'title', 'author'] as const
const only = (truth: object, ...kept: readonly string[]) =>
  Object.fromEntries(Object.entries(truth).filter(([name]) => kept.includes(name)))
const words = (truth: object) => only(truth, 'words', 'order')

const green = { pages: [220, 160, 100] }
const comic = (name: string, maker: string, call: (output: string) => readonly [string, ...string[]], folder = '') =>
  specimen(name, maker, green, async (output, scratch) => {
    const file = async (index: number): Promise<Item> => ({
      type: 'file',
      content: await comicPage(index),
      mode: 0o644,
    })
    const pages = await Promise.all(
      [0, 1, 2].map(async (index) => [`${folder}${9 + index}.jpg`, await file(index)] as const),
    )
    const root = await grow(`${scratch}/comic`, Object.fromEntries(pages), false)
    const [tool, ...args] = call(output)
    await program('env', '-C', root, tool, ...args)
  })
const comics = (format: string, kind: string, more: readonly string[]) => [
  fixed(format, 'hand', green),
  comic(`flat.${format}`, '7-Zip', (output) => ['7zz', 'a', '-bd', '-bso0', `-t${kind}`, output, '.']),
  comic(`folders.${format}`, 'libarchive', (output) => ['bsdtar', ...more, '-cf', output, '.'], 'Band 1/'),
]

/** Specimens of books. */
export const books: readonly Specimen[] = [
  fixed('epub', 'hand', ledger()),
  specimen('three.epub', 'pandoc', german, (output, scratch) => byPandoc(output, scratch, 'epub3')),
  specimen('two.epub', 'pandoc', german, (output, scratch) => byPandoc(output, scratch, 'epub2')),
  calibre('flat.epub', 'ledger', ['--flow-size', '0', '--no-default-epub-cover'], ledger()),
  fixed('mobi', 'calibre', ledger()),
  calibre('german.mobi', 'german', [], without(german, 'emphasis')),
  calibre('both.mobi', 'german', ['--mobi-file-type', 'both'], without(german, 'emphasis')),
  fixed('prc', 'calibre', ledger()),
  calibre('german.prc', 'german', [], without(german, 'emphasis')),
  calibre('raw.prc', 'ledger', ['--dont-compress'], ledger()),
  fixed('azw3', 'calibre', ledger()),
  calibre('german.azw3', 'german', [], without(german, 'emphasis')),
  calibre('raw.azw3', 'ledger', ['--dont-compress', '--no-inline-toc'], ledger()),
  fixed('fb2', 'hand', ledger()),
  specimen('german.fb2', 'pandoc', without(german, 'language', 'pictures'), (output, scratch) =>
    byPandoc(output, scratch, 'fb2'),
  ),
  calibre('calibre.fb2', 'ledger', ['--sectionize', 'toc'], ledger('wide', 'cover')),
  fixed('htmlz', 'hand', ledger('wide', 'contents')),
  calibre('german.htmlz', 'german', [], only(german, ...plain, 'pictures')),
  calibre('inline.htmlz', 'ledger', ['--htmlz-css-type', 'inline'], only(ledger(), ...plain)),
  fixed('txtz', 'hand', words(ledger())),
  calibre('german.txtz', 'german', [], words(german)),
  calibre('markdown.txtz', 'ledger', ['--txt-output-formatting', 'markdown'], words(ledger())),
  fixed('lit', 'calibre', ledger()),
  calibre('german.lit', 'german', [], only(german, ...plain, 'contents')),
  calibre('plain.lit', 'ledger', ['--no-chapters-in-toc'], ledger()),
  fixed('lrf', 'calibre', ledger('wide', 'cover')),
  calibre('german.lrf', 'german', [], only(german, ...plain)),
  calibre('wide.lrf', 'ledger', ['--wordspace', '4'], ledger('wide', 'cover', 'contents')),
  fixed('pdb', 'calibre', words(ledger('western'))),
  calibre('ereader.pdb', 'ledger', ['--format', 'ereader'], words(ledger('western'))),
  calibre('inline.pdb', 'ledger', ['--inline-toc'], words(ledger('western'))),
  fixed('pmlz', 'hand', only(ledger('western'), ...plain)),
  calibre('german.pmlz', 'german', [], words(german)),
  calibre('full.pmlz', 'ledger', ['--full-image-depth'], words(ledger('western'))),
  fixed('rb', 'calibre', words(ledger('western'))),
  calibre('left.rb', 'ledger', ['--change-justification', 'left'], words(ledger('western'))),
  fixed('chm', 'hand', ledger('wide', 'author', 'cover')),
  ...comics('cbz', 'zip', ['--format=zip']),
  fixed('cbr', 'hand', green),
  ...comics('cb7', '7z', ['--format=7zip']),
  ...comics('cbt', 'tar', ['--format=ustar']),
]
