import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { author, chapters, title } from '../../fixtures/book.ts'
import { ebook } from '../../fixtures/ebook.ts'
import { program } from '../../fixtures/program.ts'
import type { Specimen } from '../family.ts'
import { specimen } from '../saved.ts'

/** The book of all text samples. */
const parts = chapters()
const ledger = {
  words: parts.flatMap(({ heading, paragraphs }) => [heading, ...paragraphs]).join(' '),
  order: parts.flatMap(({ paragraphs }) => paragraphs.map((line) => line.split(' ').slice(0, 3).join(' '))),
  contents: parts.map(({ heading }) => heading),
  title,
  author,
  cover: 'red over blue',
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
/** Written by pandoc of Markdown. */
async function byPandoc(output: string, scratch: string): Promise<void> {
  await sharp({ create: { width: 40, height: 30, channels: 3, background: '#20a040' } })
    .png()
    .toFile(`${scratch}/dot.png`)
  await writeFile(`${scratch}/in.md`, markdown)
  await program('env', '-C', scratch, 'pandoc', '-f', 'markdown', '-t', 'epub3', 'in.md', '-o', output)
}

/** Written by calibre, of the German book. Its slanted word is a style. */
const { emphasis, ...unstyled } = german
const calibre = (name: string) =>
  specimen(
    name,
    async (output, scratch) => {
      await byPandoc(`${scratch}/in.epub`, scratch)
      await program('setsid', '--wait', 'ebook-convert', `${scratch}/in.epub`, output)
    },
    unstyled,
  )
const fixed = (format: string, truth: object) => specimen(`ledger.${format}`, ebook[format]!.make, truth)

/** Specimens of books. */
export const books: readonly Specimen[] = [
  fixed('epub', ledger),
  specimen('three.epub', byPandoc, german),
  calibre('german.mobi'),
  calibre('german.azw3'),
  fixed('fb2', ledger),
  fixed('cbz', { pages: [220, 160, 100] }),
]
