import { bundle } from '../../engines/bundle.ts'
import { fictionBook, latex, pandoc } from '../../engines/pandoc.ts'
import { repack } from '../../engines/repack.ts'
import type { Args, Job, Step } from '../../kernel/contract.ts'
import { kept } from './metadata.ts'
import type { DocumentOptions } from './options.ts'
import { described } from './properties.ts'

/** Pandoc's readers by source format, for texts that people write by hand and their relatives. */
export const markups: Readonly<Record<string, string>> = {
  md: 'markdown+lists_without_preceding_blankline+autolink_bare_uris',
  rst: 'rst',
  org: 'org',
  tex: latex,
  textile: 'textile',
  wiki: 'mediawiki',
  dbk: 'docbook',
  ipynb: 'ipynb+footnotes',
  opml: 'opml',
  'jats.xml': 'jats',
}
export const pages: Readonly<Record<string, string>> = { html: 'html', xhtml: 'html' }
export const documents: Readonly<Record<string, string>> = { docx: 'docx', docm: 'docx', dotx: 'docx' }
export const books: Readonly<Record<string, string>> = { epub: 'epub', fb2: fictionBook }

/** All of them. Asciidoctor makes DocBook of its source; what other programs make of theirs is HTML. */
const readers: Readonly<Record<string, string>> = {
  ...markups,
  ...pages,
  ...documents,
  ...books,
  adoc: 'docbook',
}
const reader = (from: string): Args => {
  const format = readers[from] ?? 'html'
  return ['-f', format, format === 'html' && ['-M', 'facts-page=true']]
}

const markdown = [
  '-t',
  'markdown-raw_html-raw_tex-raw_attribute-fenced_divs-bracketed_spans-native_divs-native_spans-link_attributes-header_attributes-simple_tables-multiline_tables-grid_tables-smart',
]

/** Pandoc's arguments by target format, in the same groups. */
export const handwritten: Readonly<Record<string, Args>> = {
  md: markdown,
  'md.zip': markdown,
  rst: ['-t', 'rst'],
  org: ['-t', 'org'],
  tex: ['-t', 'latex'],
  adoc: ['-t', 'asciidoctor'],
  textile: ['-t', 'textile'],
  wiki: ['-t', 'mediawiki'],
  dbk: ['-t', 'docbook5'],
  ipynb: ['-t', 'ipynb'],
  opml: ['-t', 'opml'],
  'jats.xml': ['-t', 'jats'],
  icml: ['-t', 'icml'],
}
export const web: Readonly<Record<string, Args>> = {
  html: ['-t', 'html5', '--self-contained', '--mathml'],
  xhtml: ['-t', 'html4', '--self-contained', '--mathml'],
}
export const office: Readonly<Record<string, Args>> = {
  docx: ['-t', 'docx'],
  odt: ['-t', 'odt'],
  rtf: ['-t', 'rtf'],
  txt: ['-t', 'plain'],
}
export const writers: Readonly<Record<string, Args>> = { ...handwritten, ...web, ...office, pptx: ['-t', 'pptx'] }

/** The title of a page is not a part of its text, where pandoc writes it in office documents, with the authors. */
export const untitle: Step<DocumentOptions> = {
  engine: repack,
  when: {
    to: ['docx', 'odt'],
    not: { from: Object.keys(readers).filter((from) => readers[from] !== 'html') },
    ...kept,
  },
  args: () => ['--untitled'],
  output: 'untitled.{to}',
}

/** Comments come with tracked changes; `programs/pandoc/notes.lua` takes them apart. */
const commented = ({ from, to }: Job): Args => [to === 'md.zip' && from in documents && '--track-changes=all']

/** Writes the target, out of the source or of what an earlier step made of it. `untitle` follows if that is a page. */
export const write: Step<DocumentOptions> = {
  engine: pandoc,
  args: (job, { facts }) => [reader(job.from), described(job, facts), writers[job.to], commented(job)],
  // Pictures of `md.zip` are written beside it: see `programs/pandoc/pictures.lua`.
  output: 'written/document.{to}',
}

/** Puts a text and its pictures into one file. */
export const pack: Step<DocumentOptions> = { engine: bundle, when: { to: ['md.zip'] }, input: 'written/' }

/** The last steps of most routes to texts. */
export const writing: readonly Step<DocumentOptions>[] = [write, untitle, pack]

/** Writes a page for a browser to print. */
export const writePage: Step<DocumentOptions> = {
  engine: pandoc,
  args: (job, { facts }) => [reader(job.from), described(job, facts), writers.html],
  output: 'page.html',
}

/** Sources that hold pictures themselves; pandoc's tree of a document would lose those. */
const holding = ['ipynb', ...Object.keys(documents), ...Object.keys(books)]

/**
 * As `write`, in two runs for DOCX out of a text that names its pictures: there pandoc loads pictures before its
 * filters can drop those that it must not reach, and fails. So they are dropped in a run before.
 */
export const translate: readonly Step<DocumentOptions>[] = [
  {
    engine: pandoc,
    when: { to: ['docx'], not: { from: holding } },
    args: (job, { facts }) => [reader(job.from), described(job, facts), '-t', 'json'],
    output: 'tree.json',
  },
  { engine: pandoc, when: { written: 'tree.json' }, args: () => ['-f', 'json', writers.docx], output: 'text.docx' },
  { ...write, when: { not: { written: 'tree.json' } } },
  untitle,
  pack,
]
