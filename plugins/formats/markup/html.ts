/** Elements at the beginning of a page or a fragment. */
const HTML_TAG =
  /^<(head|body|title|meta|link|style|script|div|p|h[1-6]|table|ul|ol|dl|span|a|b|i|img|br|hr|center|font|form|section|article|main|header|nav|blockquote|pre)[\s/>]/i

export const isHtmlElement = (name: string) => HTML_TAG.test(`<${name}>`)

/** HTML, by its document type or first element. Fragments only if the file is named so (`named`). */
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
