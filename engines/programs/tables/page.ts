import { escaped, page } from '../text/markup.ts'
import { isDictionary, listIn, rowsOf } from './records.ts'
import type { Rows } from './separated.ts'

/** Levels of nested tables. Deeper values are shown as JSON. */
const DEEPEST = 8

const STYLE =
  'table{border-collapse:collapse}th,td{border:1px solid #999;padding:2px 5px;text-align:left;vertical-align:top;overflow-wrap:break-word}'

const inCell = (text: string) => escaped(text).replaceAll('\n', '<br>')

const row = (cells: readonly string[], element: 'th' | 'td') =>
  `<tr>${cells.map((cell) => `<${element}>${cell}</${element}>`).join('')}</tr>\n`

/** Writes any value as HTML: a list as a table with a header, other values as a table of names and values. */
export function writePage(value: unknown): string {
  const list = listIn(value)
  const content = list || !isDictionary(value) ? table(rowsOf(value)) : members(value, 1)
  return page(content, `<style>${STYLE}</style>`)
}

/** A table of rows. The first is the header, if there are more. */
function table(rows: Rows): string {
  const [head, ...body] = rows.length > 1 ? rows : [undefined, ...rows]
  const top = head ? `<thead>\n${row(head.map(inCell), 'th')}</thead>\n` : ''
  const rest = body.map((cells) => row((cells ?? []).map(inCell), 'td')).join('')
  return `<table>\n${top}<tbody>\n${rest}</tbody>\n</table>\n`
}

const members = (value: Record<string, unknown>, depth: number): string =>
  `<table>\n<tbody>\n${Object.entries(value)
    .map(([name, member]) => row([inCell(name), cell(member, depth)], 'td'))
    .join('')}</tbody>\n</table>\n`

/** A value in a cell. The items of a list are one below the other. */
function cell(value: unknown, depth: number): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return inCell(String(value))
  if (depth >= DEEPEST) return inCell(JSON.stringify(value))
  if (!Array.isArray(value)) return members(value as Record<string, unknown>, depth + 1)
  return value.map((item) => cell(item, depth + 1)).join(value.some((item) => typeof item === 'object') ? '' : '<br>')
}
