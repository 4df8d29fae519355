import { headed } from './head.ts'

/**
 * Comments, scripts and styles, which are skipped, and tags of tables. Whatever is not closed reaches the end, as in
 * browsers.
 */
const TOKENS =
  /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<(\/?)(table|thead|tbody|tfoot|tr|td|th)\b(?:"[^"]*"|'[^']*'|[^<>"'])*>/gi

/**
 * Adds what HTML lets authors omit and pandoc needs: end tags of cells and rows, and a head with title and metadata.
 * Without them, pandoc makes a paragraph of each cell, and of the title.
 */
export const complete = (html: string): string => headed(celled(html))

function celled(html: string): string {
  /** Open elements, by table: the innermost is the last. */
  const tables: { row: string; cell: string }[] = []
  return html.replace(TOKENS, (token, skipped, closing, tag) => {
    if (!tag || skipped) return token
    const name = tag.toLowerCase()
    const table = tables.at(-1)
    if (name === 'table') {
      if (!closing) tables.push({ row: '', cell: '' })
      return closing ? ended(tables.pop(), true) + token : token
    }
    if (!table) return token
    const isCell = name === 'td' || name === 'th'
    if (closing && (isCell ? table.cell : name !== 'tr' || table.row) === '') return ''
    const missing = closing && isCell ? '' : ended(table, !isCell && !(closing && name === 'tr'))
    if (isCell) table.cell = closing ? '' : name
    if (name === 'tr') table.row = closing ? '' : name
    return missing + token
  })
}

/** The end tags that are missing, of the cell and, if `row`, of the row. */
function ended(table: { row: string; cell: string } | undefined, row: boolean): string {
  if (!table) return ''
  const tags = (table.cell && `</${table.cell}>`) + (row && table.row ? '</tr>' : '')
  table.cell = ''
  if (row) table.row = ''
  return tags
}
