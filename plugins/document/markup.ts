import { asciidoctor } from '../../engines/asciidoctor.ts'
import { epub } from '../../engines/epub.ts'
import { exiftool } from '../../engines/exiftool.ts'
import { pandoc } from '../../engines/pandoc.ts'
import { plain } from '../../engines/plain.ts'
import { repack } from '../../engines/repack.ts'
import type { Args, Job, Route, Run } from '../../kernel/contract.ts'
import { removes } from './metadata.ts'
import type { DocumentOptions } from './options.ts'

/** Pandoc's readers by source format. */
const markups: Readonly<Record<string, string>> = {
  md: 'markdown+lists_without_preceding_blankline+autolink_bare_uris',
  rst: 'rst',
  org: 'org',
  tex: 'latex',
  textile: 'textile',
  wiki: 'mediawiki',
  dbk: 'docbook',
  ipynb: 'ipynb',
  opml: 'opml',
  'jats.xml': 'jats',
}
const pages: Readonly<Record<string, string>> = { html: 'html', xhtml: 'html' }
const documents: Readonly<Record<string, string>> = { docx: 'docx', docm: 'docx', dotx: 'docx' }
const books: Readonly<Record<string, string>> = { epub: 'epub', fb2: 'fb2' }
const readers = { ...markups, ...pages, ...documents, ...books }

/** Pandoc's writers by target format, for texts that people write by hand and their relatives. */
const handwritten: Readonly<Record<string, Args>> = {
  md: [
    '-t',
    'markdown-raw_html-raw_tex-raw_attribute-fenced_divs-bracketed_spans-native_divs-native_spans-link_attributes-header_attributes-simple_tables-multiline_tables-grid_tables-smart',
  ],
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
const web: Readonly<Record<string, Args>> = {
  html: ['-t', 'html5', '--self-contained', '--mathml'],
  xhtml: ['-t', 'html4', '--self-contained', '--mathml'],
}
const office: Readonly<Record<string, Args>> = {
  docx: ['-t', 'docx'],
  odt: ['-t', 'odt'],
  rtf: ['-t', 'rtf'],
  txt: ['-t', 'plain'],
}
const slides: Readonly<Record<string, Args>> = { pptx: ['-t', 'pptx'] }
/** Pandoc's arguments by target format. */
export const writers: Readonly<Record<string, Args>> = { ...handwritten, ...web, ...office, ...slides }

/** Documents whose properties pandoc does not read. */
const silent: readonly string[] = [
  ...['docx', 'docm', 'dotx', 'html', 'xhtml', 'pdf', 'pptx', 'pptm', 'ppsx', 'potx', 'odp', 'ppt', 'pps', 'odg'],
]

/** What a source says of itself where pandoc does not look, as metadata that stands in. */
async function facts(job: Job<DocumentOptions>, run: Run): Promise<Args> {
  if (!silent.includes(job.from)) return []
  // What a PDF itself calls its creator is a program.
  const creator = job.from === 'pdf' ? 'XMP-dc:Creator' : 'Creator'
  const tags = ['Title', 'Author', creator, 'Subject', 'Keywords'].map((tag) => `-${tag}`)
  const lines = await run(exiftool, ['-j', '-struct', tags]).catch(() => [])
  const found = described(lines.join('\n'))
  const given = {
    title: found.Title,
    author: found.Author ?? found.Creator,
    subject: found.Subject,
    keywords: found.Keywords,
  }
  return Object.entries(given).flatMap(([name, value]) =>
    typeof value === 'string' && value ? ['-M', `facts-${name}=${value}`] : [],
  )
}

/** What exiftool printed, or nothing where that cannot be read. */
function described(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)[0]
  } catch {
    return {}
  }
}

/** Pandoc's arguments for a source. */
export const reading = (from: string): Args => ['-f', readers[from]!]

/** Tells pandoc what to do with what describes a source. */
export async function pageFacts(job: Job<DocumentOptions>, run: Run): Promise<Args> {
  if (!removes(job)) return facts(job, run)
  // A title of these stands in the text as well.
  const visible = ['docx', 'docm', 'dotx'].includes(job.from)
  return ['-M', 'facts-remove=true', visible && ['-M', 'facts-visible=true']]
}

/** The source as pandoc reads all of it; refuses a locked book, which pandoc would read as far as it goes. */
export async function readable(job: Job<DocumentOptions>, run: Run): Promise<string> {
  if (job.from === 'epub') await run(epub, ['--check'])
  if (job.from in markups || job.from in pages || job.from === 'fb2') {
    const text = `${job.scratch}/plain.${job.from}`
    await run(plain, [], { output: text })
    return text
  }
  if (!(job.from in documents)) return job.input
  const input = `${job.scratch}/flowing.${job.from}`
  await run(repack, ['--flow'], { output: input })
  return input
}

async function convert(job: Job<DocumentOptions>, run: Run): Promise<void> {
  const input = await readable(job, run)
  await write(job, run, input, [reading(job.from), await pageFacts(job, run)])
}

/** Sources that may hold pictures themselves, which the tree between two steps would not. */
const holding: readonly string[] = ['ipynb', ...Object.keys(documents), ...Object.keys(books)]

/** Makes the target out of what pandoc reads by `args`. */
async function write(job: Job<DocumentOptions>, run: Run, input: string, args: Args): Promise<void> {
  if (job.to !== 'docx' || holding.includes(job.from))
    return void (await run(pandoc, [args, writers[job.to]], { input }))
  // For DOCX it reads pictures before filters can drop those out of reach, and fails for them: so they go first.
  const tree = `${job.scratch}/tree.json`
  await run(pandoc, [args, '-t', 'json'], { input, output: tree })
  await run(pandoc, ['-f', 'json', writers.docx], { input: tree })
}

const asciidoc = (to: readonly string[]): Route<DocumentOptions> => ({
  ...{ from: ['adoc'], to, engine: asciidoctor, uses: [plain, pandoc] },
  convert: async (job, run) => {
    const [text, between] = [`${job.scratch}/plain.adoc`, `${job.scratch}/between.dbk`]
    await run(plain, [], { output: text })
    await run(asciidoctor, ['-b', 'docbook5'], { input: text, output: between })
    const told = removes(job) && ['-M', 'facts-remove=true']
    // It leaves names of characters as they are, of which DocBook has few.
    const named = `${job.scratch}/named.dbk`
    await run(plain, ['--unnamed'], { input: between, output: named })
    await write(job, run, named, ['-f', 'docbook', told])
  },
})

const via = (from: readonly string[], to: readonly string[], by: string): Route<DocumentOptions> => ({
  from: from.filter((format) => format !== by),
  to: to.filter((format) => format !== by),
  via: by,
})

const all = Object.keys(writers)
const unlike = (formats: readonly string[], one: string) => formats.filter((format) => format !== one)
const route = (from: readonly string[], to: readonly string[]): Route<DocumentOptions> => ({
  ...{ from, to, engine: pandoc, uses: [exiftool, epub, plain, repack], convert },
})

/** Markups with wrappings around their blocks, and the others. */
const wrapped = ['ipynb', 'jats.xml']
const lean = Object.keys(markups).filter((format) => !wrapped.includes(format))

/** Markups, pages and books into one another and into documents; documents into markups and pages. */
export const markup: Route<DocumentOptions>[] = [
  route(lean, all),
  // Their tables get lost on slides.
  route([...wrapped, ...Object.keys(books)], unlike(all, 'pptx')),
  route(Object.keys(pages), [...Object.keys(handwritten), 'xhtml', 'html', ...Object.keys(office), 'pptx']),
  route(Object.keys(documents), [...Object.keys(handwritten), ...Object.keys(web), 'pptx']),
  asciidoc(all),
]

/** What pandoc reads and nobody prints as it is. */
export const unprinted = [...Object.keys(markups), ...Object.keys(books)]
const written = [...unprinted, 'adoc']

/** What takes two steps: paper and older documents out of markups, markups out of older documents, slides and tables. */
export const detours: Route<DocumentOptions>[] = [
  via(written, ['pdf'], 'html'),
  via([...wrapped, ...Object.keys(books)], ['pptx'], 'docx'),
  via(written, ['doc', 'docm', 'dotx', 'dot', 'ott', 'fodt'], 'docx'),
  via(['odt', 'doc', 'dot', 'ott', 'fodt', 'sxw', 'rtf'], [...Object.keys(handwritten), 'pptx'], 'docx'),
  via(['txt'], [...Object.keys(handwritten), 'pptx'], 'html'),
  via(['json', 'yaml', 'xml'], ['docx', 'odt', 'rtf', 'txt', 'md'], 'html'),
  via(
    ['xlsx', 'xlsb', 'xls', 'xlsm', 'ods', 'fods', 'csv', 'tsv'],
    [...Object.keys(handwritten), 'docx', 'odt', 'rtf', 'txt', 'xhtml'],
    'html',
  ),
]
