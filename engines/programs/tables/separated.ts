import { type Cell, textOf } from './cell.ts'

/** Rows of a table. */
export type Rows = string[][]

/** Of several that would do, the comma is the last: it is also in numbers and sentences. */
const SEPARATORS = ['\t', ';', '|', ',']

/** Characters and rows at the beginning of a text that show its separator. */
const HEAD = 65_536
const ROWS = 50

/** The separator that divides the most of the first rows into equally many cells. A first line `sep=;` names it. */
export function separatorOf(text: string): string {
  const named = DIRECTIVE.exec(text)
  if (named) return named[1]!
  const head = text.length > HEAD ? text.slice(0, text.lastIndexOf('\n', HEAD) + 1) || text.slice(0, HEAD) : text
  const scores = SEPARATORS.map((separator) => {
    const rows = readRows(head, separator).slice(0, ROWS)
    const divided = rows.map((row) => row.length).filter((width) => width > 1)
    const counts = Map.groupBy(divided, (width) => width).values()
    return Math.max(0, ...counts.map((same) => same.length))
  })
  const max = Math.max(...scores)
  return max > 0 ? SEPARATORS[scores.indexOf(max)]! : ','
}

/** Excel's first line that names the separator. */
const DIRECTIVE = /^sep=(.)\r?\n/i

/** Reads the rows of a text. A missing separator is found out. The line that names it is no row. */
export function readTable(text: string, separator = separatorOf(text)): Rows {
  const lines = text.includes('\n') ? text : text.replaceAll('\r', '\n')
  return readRows(lines.replace(DIRECTIVE, ''), separator)
}

/**
 * Reads rows (RFC 4180) in one pass. Quotes that nothing closes, or inside an unquoted cell, are literal: csv-parse
 * refuses the whole file for the first.
 */
function readRows(text: string, separator: string): Rows {
  const rows: Rows = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      let end = text.indexOf('"', at + 1)
      while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
      if (end >= 0) {
        cell = text.slice(at + 1, end).replaceAll('""', '"')
        at = end + 1
      }
    }
    const start = at
    while (at < text.length && text[at] !== separator && text[at] !== '\n') at++
    row.push(cell + text.slice(start, at).replace(/\r$/, ''))
    if (at < text.length && text[at] === separator && at + 1 < text.length) at++
    else {
      if (text[at] === separator) row.push('')
      rows.push(row)
      row = []
      at++
    }
  }
  return rows
}

const quoted = (cell: string, separator: string) =>
  cell.includes(separator) || /["\r\n]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell

/** Writes rows (RFC 4180) with LF line endings. */
export const writeRows = (rows: readonly (readonly Cell[])[], separator: string) =>
  rows.map((row) => `${row.map((cell) => quoted(textOf(cell), separator)).join(separator)}\n`).join('')
