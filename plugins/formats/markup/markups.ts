import { extensions, type Family } from '../family.ts'

const wanted = ['pdf', 'html', 'docx', 'md', 'epub', 'odt', 'rst', 'tex', 'txt', 'pptx', 'adoc', 'rtf']
const records = ['json', 'yaml', 'xml', 'csv', 'pdf', 'html', 'xlsx', 'txt']

/** Whether the beginning of a file matches a pattern. */
const marked = (mark: RegExp) => (head: Uint8Array) => mark.test(new TextDecoder().decode(head.subarray(0, 4096)))

const jats = /<!DOCTYPE\s+article\s+PUBLIC\s+"-\/\/NLM\/\/DTD JATS|<article[^>]{1,500}dtd-version=/
const isZip = (head: Uint8Array) => new TextDecoder('latin1').decode(head.subarray(0, 4)) === 'PK\x03\x04'

const icml = /^\ufeff?\s*<\?xml[^>]*\?>\s*<\?aid style="50"/

/** Plain text. Subtitles are treated as text. */
export const plainText = {
  txt: { mime: 'text/plain', label: 'text', aliases: ['text', 'log'], hints: ['srt'], text: 'plain' },
} satisfies Family

/** Web pages. */
export const webPages = {
  html: {
    mime: 'text/html',
    aliases: ['htm'],
    text: 'marked',
    wanted: ['pdf', 'docx', 'md', 'txt', 'png', 'jpg', 'epub', 'odt', 'rtf'],
  },
  xhtml: { mime: 'application/xhtml+xml', aliases: ['xht'], text: 'marked' },
  mht: {
    mime: 'application/x-mimearchive',
    label: 'web archive',
    aliases: ['mhtml'],
    text: 'marked',
    wanted: ['pdf', 'html', 'docx', 'png', 'md', 'txt'],
  },
} satisfies Family

/** Markup languages. */
export const markups = {
  md: { mime: 'text/markdown', label: 'Markdown', aliases: ['markdown', 'mkd', 'mdown'], text: 'plain', wanted },
  // A target only: an upload of one is a ZIP.
  'md.zip': { mime: 'application/zip', label: 'Markdown with pictures', holds: isZip },
  rst: { mime: 'text/x-rst', label: 'reStructuredText', text: 'plain', wanted },
  org: { mime: 'text/org', label: 'Org', text: 'plain', wanted },
  tex: { mime: 'text/x-tex', label: 'LaTeX', aliases: ['latex'], text: 'plain', wanted },
  adoc: { mime: 'text/asciidoc', label: 'AsciiDoc', aliases: ['asciidoc'], text: 'plain', wanted },
  textile: { mime: 'text/x-textile', label: 'Textile', text: 'plain', wanted },
  wiki: { mime: 'text/x-wiki', label: 'MediaWiki', aliases: ['mediawiki'], text: 'plain', wanted },
  dbk: { mime: 'application/docbook+xml', label: 'DocBook', aliases: ['docbook'], text: 'marked', wanted },
  ipynb: { mime: 'application/x-ipynb+json', label: 'Jupyter notebook', wanted },
  opml: { mime: 'text/x-opml', text: 'marked', xml: { root: 'opml' }, wanted },
  'jats.xml': { mime: 'application/jats+xml', label: 'JATS', wanted, sniff: marked(jats) },
  icml: { mime: 'application/x-icml', label: 'InCopy', sniff: marked(icml) },
} satisfies Family

/** Structured data. */
export const data = {
  json: { mime: 'application/json', text: 'marked', wanted: records },
  xml: { mime: 'application/xml', text: 'marked', wanted: records },
  yaml: { mime: 'application/yaml', aliases: ['yml'], text: 'plain', wanted: records },
} satisfies Family

/** All markup languages, including JATS and InCopy. */
export const markup = extensions(markups)
