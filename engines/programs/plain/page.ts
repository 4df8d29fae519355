import { escaped } from '../text/markup.ts'

const EMPTY = /<title[^>]*>\s*<\/title>/i

/** Adds what browsers need: the character set, and a title for a page that has none. */
export function framed(html: string, title: string): string {
  const [doctype = ''] = /^\s*(<!--[\s\S]*?-->\s*)*<!doctype[^>]*>/i.exec(html) ?? []
  const rest = html.slice(doctype.length)
  const head = rest.slice(0, Math.max(0, rest.search(/<(body|svg)[\s>]/i)) || undefined)
  const titled = !title || /<title[^>]*>\s*[^<\s]/i.test(head) ? '' : `<title>${escaped(title)}</title>`
  const content = titled ? rest.replace(EMPTY, '') : rest
  return `${doctype}<meta charset="utf-8">${titled}${content}`
}
