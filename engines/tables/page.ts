import type { Rows } from './separated.ts'

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>')

const row = (cells: readonly string[], element: 'th' | 'td') =>
  `<tr>${cells.map((cell) => `<${element}>${escaped(cell)}</${element}>`).join('')}</tr>\n`

/** Writes rows as a page with one table, the first row as its head where there are more. */
export function writePage(rows: Rows): string {
  const [head, ...body] = rows.length > 1 ? rows : [undefined, ...rows]
  const top = head ? `<thead>\n${row(head, 'th')}</thead>\n` : ''
  const rest = body.map((cells) => row(cells ?? [], 'td')).join('')
  return `<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title></title></head><body>\n<table>\n${top}<tbody>\n${rest}</tbody>\n</table>\n</body></html>\n`
}
