/** The characters that XML predefines entities for. */
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Text as the content of an element of HTML or XML. */
export const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The same, without the characters that XML 1.0 cannot hold (§2.2). */
export const inElement = (text: string) =>
  escaped(text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd'))

/** Replaces character references and the predefined entities of XML with their characters. */
export const unescaped = (markup: string) =>
  markup.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{1,16}));/gi, (whole, hex, decimal, name) => {
    if (name) return ENTITIES[name] ?? whole
    const code = Number(hex ? `0x${hex}` : decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

const ATTRIBUTES = /"[^"]*"|'[^']*'|([^\s=>"']+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g

/** The attributes in a tag of HTML or XML that have a value, by name in lower case. The first of one name counts. */
export function attributesOf(tag: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name, value] of tag.matchAll(ATTRIBUTES)) {
    const key = name?.toLowerCase()
    if (key && value && !found.has(key)) found.set(key, /^["']/.test(value) ? value.slice(1, -1) : value)
  }
  return found
}

/** An HTML page. `body` and `head` are HTML already. */
export const page = (body: string, head = '', title = '') =>
  `<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>${escaped(title)}</title>${head}</head><body>\n${body}\n</body></html>\n`

/** Marks the beginning of a page, from 1, for `pandoc/notes.lua`. */
export const pageMark = (page: number) => `<div class="page-mark" data-page="${page}"></div>`
