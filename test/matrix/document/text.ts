import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { program } from '../../fixtures/program.ts'

type Reader = (path: string) => Promise<string>

/** Entities of XML and of HTML 3.2, the latter in the order of their numbers from 160. */
const latin = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute
  micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil
  Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute
  Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute
  icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  ndash: '–',
  mdash: '—',
  hellip: '…',
  ldquo: '“',
  rdquo: '”',
  lsquo: '‘',
  rsquo: '’',
  ...Object.fromEntries(latin.split(/\s+/).map((name, index) => [name, String.fromCharCode(160 + index)])),
}

/** Text with decoded entities. */
export const unescaped = (text: string) =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
    hex || decimal ? String.fromCodePoint(Number(hex ? `0x${hex}` : decimal)) : (named[name] ?? whole),
  )

/** Returns the text of XML or HTML: between tags and in text attributes (OPML), with decoded entities. */
export function unmarked(markup: string): string {
  const text = markup
    .replace(/<(style|script)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<outline\b[^>]*>/g, (tag) => [...tag.matchAll(/"([^"]*)"/g)].map(([, value]) => value).join(' '))
    .replace(/<\/?(w:r|w:t|w:rPr|a:r|a:t|a:rPr|text:span|span|b|i|em|strong|font)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
  return unescaped(text.replaceAll('&nbsp;', ' '))
}

const raw: Reader = (path) => readFile(path, 'utf8')
const xml: Reader = async (path) => unmarked(await raw(path))

/** Returns the content of the members of a zip that match patterns of unzip(1). */
export const members = async (path: string, ...patterns: string[]) =>
  (await program('unzip', '-p', path, ...patterns)).toString('utf8')

const zipped =
  (...patterns: string[]): Reader =>
  async (path) =>
    unmarked(await members(path, ...patterns))

/**
 * Returns the text of RTF: `\uN` with its replacement character, and `\'xx` in Windows-1252 (RTF 1.9.1, "Unicode RTF").
 */
const rtf: Reader = async (path) =>
  (await readFile(path, 'latin1'))
    .replace(/\\u(-?\d+) ?((?:\\'[0-9a-f]{2}){1,2}|\{?[^\\{}]?)/g, (_, code) =>
      String.fromCharCode((Number(code) + 65536) % 65536),
    )
    .replace(/\\'([0-9a-f]{2})/g, (_, hex) => new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')))
    .replace(/\\(par|line|cell|row|tab|pard)\b ?/g, '\n')
    .replace(/\\[a-z]+-?\d* ?|[{}]|\\\*/g, '')

/** Returns all strings in a value. */
const strings = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(strings)
  if (typeof value === 'object' && value !== null) return Object.entries(value).flat().flatMap(strings)
  return [String(value)]
}

const by =
  (name: string, ...args: string[]): Reader =>
  async (path) =>
    (await program(name, ...args, path)).toString('utf8')

/**
 * Returns the text atoms of PowerPoint 97, in UTF-16 and in Latin-1 (MS-PPT §2.9.42 and §2.9.43), anywhere in the file.
 */
const powerpoint: Reader = async (path) => {
  const bytes = await readFile(path)
  const texts: string[] = []
  for (let at = 2; at + 6 < bytes.length; at += 2) {
    const type = bytes.readUInt16LE(at)
    if (type !== 0x0fa0 && type !== 0x0fa8) continue
    const end = at + 6 + bytes.readUInt32LE(at + 2)
    if (end <= bytes.length) texts.push(bytes.toString(type === 0x0fa0 ? 'utf16le' : 'latin1', at + 6, end))
  }
  return texts.join('\n')
}

const word = zipped('word/document.xml')
const slideshow = zipped('ppt/slides/slide*.xml')
const opendocument = zipped('content.xml')

/** The members with the cells, and all other parts of a workbook. */
const spreadsheet = zipped('xl/*')

const readers: Readonly<Record<string, Reader>> = {
  docx: word,
  docm: word,
  dotx: word,
  odt: opendocument,
  ott: opendocument,
  odp: opendocument,
  ods: opendocument,
  xlsx: spreadsheet,
  xlsm: spreadsheet,
  fodt: xml,
  fods: xml,
  fodp: xml,
  html: xml,
  xhtml: xml,
  dbk: xml,
  'jats.xml': xml,
  icml: xml,
  opml: xml,
  // Names of records are elements there.
  xml: async (path) => unmarked((await raw(path)).replace(/[<>/]/g, ' ')),
  'md.zip': (path) => members(path, 'document.md'),
  pptx: slideshow,
  pptm: slideshow,
  ppsx: slideshow,
  potx: slideshow,
  rtf,
  doc: by('catdoc', '-dutf-8', '-w'),
  dot: by('catdoc', '-dutf-8', '-w'),
  ppt: powerpoint,
  pps: powerpoint,
  pdf: async (path) => (await program('pdftotext', '-layout', path, '-')).toString('utf8'),
  ipynb: async (path) => strings(JSON.parse(await raw(path))).join(' '),
  json: async (path) => strings(JSON.parse(await raw(path))).join('\n'),
  yaml: async (path) => strings(parse(await raw(path))).join('\n'),
}

/** Returns the text that a person would read in a document of `format`. Rejects if it cannot be read. */
export const textOf = (path: string, format: string): Promise<string> => (readers[format] ?? raw)(path)
