import type { Format } from '../../kernel/contract.ts'

/** Whether the beginning of a file, as text, has a mark. */
const marked = (mark: RegExp) => (head: Uint8Array) => mark.test(new TextDecoder().decode(head.subarray(0, 4096)))

const sheet = ['pdf', 'xlsx', 'csv', 'ods', 'html', 'json', 'xls', 'tsv', 'md', 'docx', 'png', 'txt']
const table = ['xlsx', 'json', 'pdf', 'html', 'ods', 'tsv', 'csv', 'md', 'xml', 'yaml', 'txt', 'xls']
const slides = ['pdf', 'pptx', 'jpg', 'png', 'odp', 'ppt', 'html', 'txt', 'md', 'ppsx']
const data = ['json', 'yaml', 'xml', 'csv', 'pdf', 'html', 'xlsx', 'txt']
const markup = ['pdf', 'html', 'docx', 'md', 'epub', 'odt', 'rst', 'tex', 'txt', 'pptx', 'adoc', 'rtf']
const drawing = ['pdf', 'svg', 'png', 'jpg', 'odg', 'emf', 'docx']

/** Texts, sheets, slides and data. Labels read well in "Convert … to …". */
export const formats = {
  docx: { mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' },
  doc: { mime: 'application/msword' },
  docm: { mime: 'application/vnd.ms-word.document.macroEnabled.12' },
  dotx: { mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.template' },
  dot: { mime: 'application/msword-template' },
  odt: { mime: 'application/vnd.oasis.opendocument.text' },
  ott: { mime: 'application/vnd.oasis.opendocument.text-template' },
  fodt: { mime: 'application/vnd.oasis.opendocument.text-flat-xml' },
  rtf: { mime: 'application/rtf' },
  txt: { mime: 'text/plain', label: 'text', aliases: ['text', 'log'] },
  html: {
    mime: 'text/html',
    aliases: ['htm'],
    wanted: ['pdf', 'docx', 'md', 'txt', 'png', 'jpg', 'epub', 'odt', 'rtf'],
  },
  xhtml: { mime: 'application/xhtml+xml', aliases: ['xht'] },
  md: { mime: 'text/markdown', label: 'Markdown', aliases: ['markdown', 'mkd', 'mdown'], wanted: markup },
  rst: { mime: 'text/x-rst', label: 'reStructuredText', wanted: markup },
  org: { mime: 'text/org', label: 'Org', wanted: markup },
  tex: { mime: 'text/x-tex', label: 'LaTeX', aliases: ['latex'], wanted: markup },
  adoc: { mime: 'text/asciidoc', label: 'AsciiDoc', aliases: ['asciidoc'], wanted: markup },
  textile: { mime: 'text/x-textile', label: 'Textile', wanted: markup },
  wiki: { mime: 'text/x-wiki', label: 'MediaWiki', aliases: ['mediawiki'], wanted: markup },
  dbk: { mime: 'application/docbook+xml', label: 'DocBook', aliases: ['docbook'], wanted: markup },
  ipynb: { mime: 'application/x-ipynb+json', label: 'Jupyter notebook', wanted: markup },
  opml: { mime: 'text/x-opml', wanted: markup },
  'jats.xml': {
    mime: 'application/jats+xml',
    label: 'JATS',
    wanted: markup,
    sniff: marked(/<!DOCTYPE\s+article\s+PUBLIC\s+"-\/\/NLM\/\/DTD JATS|<article[^>]{1,500}dtd-version=/),
  },
  icml: { mime: 'application/x-icml', label: 'InCopy', sniff: marked(/^\ufeff?\s*<\?xml[^>]*\?>\s*<\?aid style="50"/) },
  pdf: {
    mime: 'application/pdf',
    wanted: ['docx', 'jpg', 'png', 'txt', 'html', 'epub', 'odt', 'rtf', 'svg', 'tif', 'md', 'mobi'],
  },
  ps: {
    mime: 'application/postscript',
    label: 'PostScript',
    wanted: ['pdf', 'png', 'jpg', 'svg', 'eps', 'tif'],
  },
  xps: { mime: 'application/oxps', aliases: ['oxps'], wanted: ['pdf', 'png', 'jpg', 'txt', 'docx'] },
  djvu: {
    mime: 'image/vnd.djvu',
    label: 'DjVu',
    aliases: ['djv'],
    wanted: ['pdf', 'png', 'jpg', 'tif', 'txt', 'epub'],
  },
  xlsx: { mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', wanted: sheet },
  xls: { mime: 'application/vnd.ms-excel', wanted: sheet },
  xlsm: { mime: 'application/vnd.ms-excel.sheet.macroEnabled.12', wanted: sheet },
  xlsb: { mime: 'application/vnd.ms-excel.sheet.binary.macroEnabled.12', wanted: sheet },
  ods: { mime: 'application/vnd.oasis.opendocument.spreadsheet', wanted: sheet },
  fods: { mime: 'application/vnd.oasis.opendocument.spreadsheet-flat-xml', wanted: sheet },
  csv: { mime: 'text/csv', wanted: table },
  tsv: { mime: 'text/tab-separated-values', aliases: ['tab'], wanted: table },
  pptx: { mime: 'application/vnd.openxmlformats-officedocument.presentationml.presentation', wanted: slides },
  ppt: { mime: 'application/vnd.ms-powerpoint', wanted: slides },
  pptm: { mime: 'application/vnd.ms-powerpoint.presentation.macroEnabled.12', wanted: slides },
  ppsx: { mime: 'application/vnd.openxmlformats-officedocument.presentationml.slideshow', wanted: slides },
  pps: { mime: 'application/vnd.ms-powerpoint-show', wanted: slides },
  potx: { mime: 'application/vnd.openxmlformats-officedocument.presentationml.template', wanted: slides },
  odp: { mime: 'application/vnd.oasis.opendocument.presentation', wanted: slides },
  fodp: { mime: 'application/vnd.oasis.opendocument.presentation-flat-xml', wanted: slides },
  vsd: { mime: 'application/vnd.visio', label: 'Visio VSD', wanted: drawing },
  vsdx: { mime: 'application/vnd.ms-visio.drawing.main+xml', label: 'Visio VSDX', wanted: drawing },
  pub: { mime: 'application/x-mspublisher', label: 'Publisher', wanted: drawing },
  wpd: { mime: 'application/vnd.wordperfect', label: 'WordPerfect' },
  wps: { mime: 'application/vnd.ms-works', label: 'Works' },
  wri: { mime: 'application/x-mswrite', label: 'Windows Write' },
  hwp: { mime: 'application/x-hwp' },
  sxw: { mime: 'application/vnd.sun.xml.writer' },
  json: { mime: 'application/json', wanted: data },
  xml: { mime: 'application/xml', wanted: data },
  yaml: { mime: 'application/yaml', aliases: ['yml'], wanted: data },
  eml: { mime: 'message/rfc822', wanted: ['pdf', 'html', 'txt', 'docx', 'md', 'rtf'] },
  msg: { mime: 'application/vnd.ms-outlook', wanted: ['pdf', 'html', 'txt', 'docx', 'md', 'rtf'] },
} satisfies Record<string, Format>
