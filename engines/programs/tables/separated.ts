/** Rows of a table. */
export type Rows = string[][]

const SEPARATORS = [',', ';', '\t', '|']

/** The separator that is most frequent in the first lines, outside quotes. */
export function separatorOf(text: string): string {
  const bare = text
    .slice(0, 65_536)
    .split('\n', 50)
    .join('\n')
    .replace(/"[^"]*"/g, '')
  const counts = SEPARATORS.map((separator) => bare.split(separator).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!
}

/** Reads rows (RFC 4180) in one pass. Quotes inside an unquoted cell are literal. */
export function readRows(text: string, separator: string): Rows {
  const rows: Rows = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      let end = text.indexOf('"', at + 1)
      while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
      if (end < 0) end = text.length
      cell = text.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
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
export const writeRows = (rows: Rows, separator: string) =>
  rows.map((row) => `${row.map((cell) => quoted(cell, separator)).join(separator)}\n`).join('')
