import { asciidoctor } from '../../engines/asciidoctor.ts'
import { pandoc } from '../../engines/pandoc.ts'
import { plain } from '../../engines/plain.ts'
import type { Route } from '../../kernel/contract.ts'
import { legible, visible } from './legible.ts'
import type { DocumentOptions } from './options.ts'
import { books, documents, handwritten, markups, office, pages, translate, web, writers } from './pandoc.ts'
import { properties } from './properties.ts'

const all = Object.keys(writers)

/** What pandoc reads itself. */
const route = (from: readonly string[], to: readonly string[], read = legible): Route<DocumentOptions> => ({
  from,
  to,
  engine: pandoc,
  steps: [...read, properties, ...translate],
})

/** AsciiDoc, by way of DocBook. */
const asciidoc: Route<DocumentOptions> = {
  from: ['adoc'],
  to: all,
  engine: asciidoctor,
  steps: [
    { engine: plain, output: 'plain.adoc' },
    { engine: asciidoctor, args: () => ['-b', 'docbook5'], output: 'between.dbk' },
    // Asciidoctor keeps names of characters, most of which DocBook does not know.
    { engine: plain, args: () => ['--unnamed'], output: 'named.dbk' },
    ...translate,
  ],
}

/** Markups that wrap their blocks, and the others. */
const wrapped = ['ipynb', 'jats.xml']
const lean = Object.keys(markups).filter((format) => !wrapped.includes(format))

/** Markups, pages and books into one another and into documents; documents into markups and pages. */
export const markup: Route<DocumentOptions>[] = [
  route(lean, all),
  // Pandoc loses their tables on slides.
  route(
    [...wrapped, ...Object.keys(books)],
    all.filter((format) => format !== 'pptx'),
  ),
  route(Object.keys(pages), [...Object.keys(handwritten), 'xhtml', 'html', ...Object.keys(office), 'pptx']),
  // Without LibreOffice, metafiles stay as they are.
  ...[visible, legible].map((read) =>
    route(Object.keys(documents), [...Object.keys(handwritten), ...Object.keys(web), 'pptx'], read),
  ),
  asciidoc,
]

/** Sources of pandoc that browsers do not print. */
export const unprinted = [...Object.keys(markups), ...Object.keys(books)]
const written = [...unprinted, 'adoc']

const via = (from: readonly string[], to: readonly string[], by: string): Route<DocumentOptions> => ({
  from: from.filter((format) => format !== by),
  to: to.filter((format) => format !== by),
  via: by,
})

/** Detours: PDF and older documents out of markups; markups out of older documents and texts. */
export const detours: Route<DocumentOptions>[] = [
  via(written, ['pdf'], 'html'),
  via([...wrapped, ...Object.keys(books)], ['pptx'], 'docx'),
  via(written, ['doc', 'docm', 'dotx', 'dot', 'ott', 'fodt'], 'docx'),
  via(['odt', 'doc', 'dot', 'ott', 'fodt', 'sxw', 'rtf'], [...Object.keys(handwritten), 'pptx'], 'docx'),
]
