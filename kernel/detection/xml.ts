interface Root {
  /** Local name, lower case. */
  name: string
  /** The start tag's attributes, and the document type before it. */
  attributes: string
  doctype: string
  /** Whether an XML declaration was there. */
  declared: boolean
}

/** The root element of an XML document behind declaration, comments and document type; one pass, whatever is in them. */
export function xmlRoot(text: string): Root | undefined {
  let at = 0
  let doctype = ''
  let declared = false
  for (;;) {
    while (at < text.length && /\s|\ufeff/.test(text[at]!)) at++
    if (text[at] !== '<') return undefined
    let end: number
    if (text.startsWith('<?', at)) {
      if (/^<\?xml\s/i.test(text.slice(at, at + 6))) declared = true
      else if (!declared && !text.startsWith('<?xml-', at)) return undefined
      end = text.indexOf('?>', at)
      if (end >= 0) end += 2
    } else if (text.startsWith('<!--', at)) {
      end = text.indexOf('-->', at + 4)
      if (end >= 0) end += 3
    } else if (text.startsWith('<!', at)) {
      end = endOfDoctype(text, at)
      doctype = text.slice(at, Math.min(end < 0 ? text.length : end, at + 1024))
    } else break
    if (end < 0) return undefined
    at = end
  }
  const name = /^<([A-Za-z_][\w.-]{0,63}:)?([A-Za-z_][\w.-]{0,63})(?=[\s/>]|$)/.exec(text.slice(at, at + 160))?.[2]
  if (!name) return undefined
  const close = text.indexOf('>', at)
  return {
    name: name.toLowerCase(),
    attributes: text.slice(at, close < 0 ? at + 16_384 : Math.min(close, at + 16_384)),
    doctype,
    declared,
  }
}

/** Where a document type ends: quotes may hide brackets, and an internal subset may hold its own. */
function endOfDoctype(text: string, start: number): number {
  let quote = ''
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]!
    if (quote) {
      if (char === quote) quote = ''
    } else if (text.startsWith('<!--', at)) {
      at = text.indexOf('-->', at)
      if (at < 0) return -1
    } else if (char === '"' || char === "'") quote = char
    else if (char === '[') depth++
    else if (char === ']') depth--
    else if (char === '>' && depth <= 0) return at + 1
  }
  return -1
}

const ROOTS: Record<string, string> = {
  svg: 'svg',
  fictionbook: 'fb2',
  collada: 'dae',
  x3d: 'x3d',
  amf: 'amf',
  opml: 'opml',
}
/** Roots of Office 2003's own XML, their namespaces, and the format whose programs wrote it. */
const OFFICE_2003: [element: string, namespace: string, extension: string][] = [
  ['workbook', 'urn:schemas-microsoft-com:office:spreadsheet', 'xls'],
  ['worddocument', 'http://schemas.microsoft.com/office/word/2003/wordml', 'doc'],
]
const FLAT: Record<string, string> = { text: 'fodt', spreadsheet: 'fods', presentation: 'fodp' }
const DOCBOOK = /^(book|article|chapter|section|part|set|refentry|appendix|preface)$/

/** Tells by its root what an XML document is; without a declaration it must be a known root or end as it began. */
export function xmlFormat(text: string, tail: string, hint: string): string | undefined {
  const root = xmlRoot(text)
  if (!root) return /^\ufeff?\s*<\?xml\s/.test(text) ? 'xml' : undefined
  const { name, attributes, doctype, declared } = root
  if (ROOTS[name]) return ROOTS[name]
  if (name === 'html') {
    if (hint === 'html' || hint === 'xhtml') return hint
    return declared || /XHTML/i.test(doctype) ? 'xhtml' : 'html'
  }
  const office = OFFICE_2003.find(([element, space]) => element === name && attributes.includes(space))
  if (office) return office[2]
  const flat = /opendocument\.(text|spreadsheet|presentation)/.exec(attributes)?.[1]
  if (name === 'document' && flat) return FLAT[flat]
  if (DOCBOOK.test(name) && (/docbook/i.test(attributes + doctype) || hint === 'dbk')) return 'dbk'
  const closed = tail.trimEnd().toLowerCase().endsWith(`${name}>`) && !HTML_TAG.test(`<${name}>`)
  return declared || closed || hint === 'xml' || attributes.includes(' xmlns') ? 'xml' : undefined
}

/** Elements that a page or a part of one begins with. */
const HTML_TAG =
  /^<(head|body|title|meta|link|style|script|div|p|h[1-6]|table|ul|ol|dl|span|a|b|i|img|br|hr|center|font|form|section|article|main|header|nav|blockquote|pre)[\s/>]/i

/** HTML by its document type or first element; as a fragment when it is named so, or has no name to go by. */
export function isHtml(text: string, named: boolean): boolean {
  let at = 0
  for (;;) {
    while (at < text.length && /\s|\ufeff/.test(text[at]!)) at++
    if (!text.startsWith('<!--', at)) break
    const end = text.indexOf('-->', at + 4)
    if (end < 0) return false
    at = end + 3
  }
  const start = text.slice(at, at + 256)
  if (/^<(!doctype\s+html|html[\s>]|head[\s>]|body[\s>])/i.test(start)) return true
  return named && (HTML_TAG.test(start) || /<\/[a-z][a-z0-9]{0,15}>/i.test(text))
}
