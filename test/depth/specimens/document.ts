import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readMembers } from '../../../engines/programs/repack/members.ts'
import { office, pandoc } from '../../fixtures/office.ts'
import { program } from '../../fixtures/program.ts'
import { zip } from '../../fixtures/zip.ts'
import type { Specimen } from '../family.ts'
import { formatOf, inFile } from '../saved.ts'
import { handDocuments } from './document-hand.ts'
import { asDocx, asHtml, leaf, leafBy, markdown, report } from './document-report.ts'

type Feature = keyof typeof report | keyof typeof leaf

/** A document with features of `truth`, but those that the format or its maker has not. */
export const specimen = (
  name: string,
  maker: string,
  truth: object,
  make: Specimen['make'],
  without: readonly Feature[] = [],
): Specimen => {
  const told = Object.fromEntries(Object.entries(truth).filter(([feature]) => !without.includes(feature as Feature)))
  return { name, from: formatOf(name), maker, features: Object.keys(told), truth: told, make }
}

/** The report by pandoc. */
const byPandoc = (name: string, writer: string, without: readonly Feature[] = []) =>
  specimen(
    name,
    'pandoc',
    report,
    async (output, scratch) => {
      const input = join(scratch, 'report.md')
      await writeFile(input, markdown)
      await pandoc(input, output, '-t', writer)
    },
    without,
  )

/** The report and the page with a picture by LibreOffice. */
const byLibreOffice = (format: string, filter: string, without: readonly Feature[] = []) => [
  specimen(
    `office.${format}`,
    'LibreOffice',
    report,
    async (output, scratch) => office(await asDocx(scratch), output, scratch, filter),
    without,
  ),
  specimen(`leaf.${format}`, 'LibreOffice', leaf, (output, scratch) => leafBy(output, scratch, filter), without),
]

/** A package with another type: a template, or a document with macros that has none. */
const retyped = (name: string, member: string, from: string, to: string) =>
  specimen(name, 'pandoc', report, async (output, scratch) => {
    const [source, input] = [
      join(scratch, `source.${from.includes('word') ? 'docx' : 'odt'}`),
      join(scratch, 'report.md'),
    ]
    await writeFile(input, markdown)
    await pandoc(input, source)
    const members = readMembers(await readFile(source)).map(({ name, content }) => [
      name,
      [member, 'META-INF/manifest.xml'].includes(name) ? content.toString().replace(from, to) : content,
    ])
    await zip(output, Object.fromEntries(members))
  })

/** The report as a page. Its notes are links. */
const byPandocPage = (name: string) => byPandoc(name, name.endsWith('.html') ? 'html5' : 'html4')

/** The report as Chromium prints it: without an author. */
const byChromium = (name: string) =>
  specimen(
    name,
    'Chromium',
    report,
    async (output, scratch) => {
      await asHtml(scratch)
      const flags = [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--no-pdf-header-footer',
        `--user-data-dir=${scratch}/profile`,
      ]
      await program('chromium', ...flags, `--print-to-pdf=${output}`, `file://${scratch}/report.html`)
    },
    ['author', 'notes'],
  )

const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
const types = '[Content_Types].xml'

/** Specimens of text documents. */
export const documentSpecimens: readonly Specimen[] = [
  byPandoc('pandoc.docx', 'docx'),
  ...byLibreOffice('docx', 'docx:MS Word 2007 XML'),
  retyped('pandoc.docm', types, main, 'application/vnd.ms-word.document.macroEnabled.main+xml'),
  ...byLibreOffice('docm', 'docm:MS Word 2007 XML VBA'),
  retyped('pandoc.dotx', types, main, main.replace('.document.main', '.template.main')),
  ...byLibreOffice('dotx', 'dotx:MS Word 2007 XML Template'),
  ...byLibreOffice('doc', 'doc:MS Word 97'),
  ...byLibreOffice('dot', 'dot:MS Word 97 Vorlage'),
  byPandoc('pandoc.odt', 'odt'),
  ...byLibreOffice('odt', 'odt:writer8'),
  retyped(
    'pandoc.ott',
    'mimetype',
    'application/vnd.oasis.opendocument.text',
    'application/vnd.oasis.opendocument.text-template',
  ),
  ...byLibreOffice('ott', 'ott:writer8_template'),
  inFile('document', 'hand.fodt', leaf),
  ...byLibreOffice('fodt', 'fodt:OpenDocument Text Flat XML'),
  // Its lists are paragraphs with bullets, and it has no properties.
  byPandoc('pandoc.rtf', 'rtf', ['lists', 'title', 'author']),
  ...byLibreOffice('rtf', 'rtf:Rich Text Format'),
  // The note is as large as the text.
  ...byLibreOffice('pdf', 'pdf:writer_pdf_Export', ['notes']),
  byChromium('chromium.pdf'),
  ...['pandoc.html', 'pandoc.xhtml'].map(byPandocPage),

  ...['rst', 'org'].map((format) => byPandoc(`pandoc.${format}`, format)),
  byPandoc('pandoc.tex', 'latex'),
  // Textile and MediaWiki have no place for title and author, and each cell of a notebook is a text of its own.
  byPandoc('pandoc.textile', 'textile', ['title', 'author']),
  byPandoc('pandoc.wiki', 'mediawiki', ['title', 'author']),
  byPandoc('pandoc.ipynb', 'ipynb', ['title', 'author', 'notes']),
  byPandoc('pandoc.adoc', 'asciidoc'),
  ...['docbook4', 'docbook5'].map((version) => byPandoc(`${version}.dbk`, version)),
  byPandoc('pandoc.md', 'markdown'),
  ...handDocuments,
]
