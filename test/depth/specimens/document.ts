import { join } from 'node:path'
import { office } from '../../fixtures/office.ts'
import { program } from '../../fixtures/program.ts'
import type { Specimen } from '../family.ts'
import { formatOf, inFile, saved } from '../saved.ts'
import { handDocuments } from './document-hand.ts'
import { leaf, report, reportBy } from './document-report.ts'
import { retype } from './retype.ts'

type Feature = keyof typeof report | keyof typeof leaf

/** A document with features of `truth`, but those that the format or its maker has not. */
const specimen = (
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
  specimen(name, 'pandoc', report, (output, scratch) => reportBy(output, scratch, '-t', writer), without)

/** The report and the page with a picture by LibreOffice. */
const byLibreOffice = (format: string, filter: string, without: readonly Feature[] = []) => {
  const by = (name: string, truth: object, input: (scratch: string) => Promise<string>) => {
    const make: Specimen['make'] = async (output, scratch) => office(await input(scratch), output, scratch, filter)
    return specimen(`${name}.${format}`, 'LibreOffice', truth, make, without)
  }
  const docx = (scratch: string) => reportBy(join(scratch, 'report.docx'), scratch)
  return [by('office', report, docx), by('leaf', leaf, async () => saved('document/hand.fodt'))]
}

/** A package with another type: a template, or a document with macros that has none. */
const retyped = (name: string, from: string, to: string) =>
  specimen(name, 'pandoc', report, async (output, scratch) => {
    const source = join(scratch, `source.${from.includes('word') ? 'docx' : 'odt'}`)
    await retype(await reportBy(source, scratch), output, from, to)
  })

/** The report as a page. Its notes are links. */
const byPandocPage = (name: string) => byPandoc(name, name.endsWith('.html') ? 'html5' : 'html4')

/** The report as Chromium prints it: without an author. */
const byChromium: Specimen['make'] = async (output, scratch) => {
  const page = await reportBy(join(scratch, 'report.html'), scratch)
  const modes = ['--headless', '--no-sandbox', '--disable-gpu', '--no-pdf-header-footer']
  await program(
    'chromium',
    ...modes,
    `--user-data-dir=${scratch}/profile`,
    `--print-to-pdf=${output}`,
    `file://${page}`,
  )
}

const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'

const odt = 'application/vnd.oasis.opendocument.text'

/** Specimens of text documents. */
export const documentSpecimens: readonly Specimen[] = [
  byPandoc('pandoc.docx', 'docx'),
  ...byLibreOffice('docx', 'docx:MS Word 2007 XML'),
  retyped('pandoc.docm', main, 'application/vnd.ms-word.document.macroEnabled.main+xml'),
  ...byLibreOffice('docm', 'docm:MS Word 2007 XML VBA'),
  retyped('pandoc.dotx', main, main.replace('.document.main', '.template.main')),
  ...byLibreOffice('dotx', 'dotx:MS Word 2007 XML Template'),
  ...byLibreOffice('doc', 'doc:MS Word 97'),
  ...byLibreOffice('dot', 'dot:MS Word 97 Vorlage'),
  byPandoc('pandoc.odt', 'odt'),
  ...byLibreOffice('odt', 'odt:writer8'),
  retyped('pandoc.ott', odt, `${odt}-template`),
  ...byLibreOffice('ott', 'ott:writer8_template'),
  inFile('document', 'hand.fodt', leaf),
  ...byLibreOffice('fodt', 'fodt:OpenDocument Text Flat XML'),
  // Its lists are paragraphs with bullets, and it has no properties.
  byPandoc('pandoc.rtf', 'rtf', ['lists', 'title', 'author']),
  ...byLibreOffice('rtf', 'rtf:Rich Text Format'),
  // The note is as large as the text.
  ...byLibreOffice('pdf', 'pdf:writer_pdf_Export', ['notes']),
  specimen('chromium.pdf', 'Chromium', report, byChromium, ['author', 'notes']),
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
