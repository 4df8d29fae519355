import { escaped, page } from '../text/markup.ts'
import { type Cell, textOf } from './cell.ts'
import { isDictionary, listIn, rowsOf, tablesIn } from './records.ts'
import { NOTHING, type Sheet, type Spreadsheet } from './spreadsheet.ts'

/** Levels of nested tables. Deeper values are shown as JSON. */
const DEEPEST = 8

const STYLE =
  '<style>table{border-collapse:collapse}th,td{border:1px solid #999;padding:2px 5px;text-align:left;vertical-align:top;overflow-wrap:break-word}</style>'

const inCell = (text: string) => escaped(text).replaceAll('\n', '<br>')

const row = (cells: readonly string[], element: 'th' | 'td') =>
  `<tr>${cells.map((cell) => `<${element}>${cell}</${element}>`).join('')}</tr>\n`

/** Several tables, each below its name. */
const named = (tables: readonly [name: string, html: string][]) =>
  tables.map(([name, html]) => (tables.length > 1 ? `<h2>${escaped(name)}</h2>\n${html}` : html)).join('')

/** Writes any value as HTML: a list as a table with a header, other values as a table of names and values. */
export function writePage(value: unknown, title: string): string {
  const tables = tablesIn(value)
  const content = tables
    ? named(Object.entries(tables).map(([name, rows]) => [name, table(rows)]))
    : listIn(value) || !isDictionary(value)
      ? table(rowsOf(value))
      : members(value, 1)
  return page(content, STYLE, title)
}

/** A table of rows. The first is the header, if there are more. */
export function table(rows: readonly (readonly Cell[])[]): string {
  const width = rows.reduce((max, cells) => Math.max(max, cells.length), 0)
  const whole = rows.map((cells) => Array.from({ length: width }, (_, index) => inCell(textOf(cells[index]))))
  const [head, ...body] = whole.length > 1 ? whole : [undefined, ...whole]
  return framed(head ? row(head, 'th') : '', body.map((cells) => row(cells ?? [], 'td')).join(''))
}

const framed = (head: string, body: string) =>
  `<table>\n${head && `<thead>\n${head}</thead>\n`}<tbody>\n${body}</tbody>\n</table>\n`

const members = (value: Record<string, unknown>, depth: number): string =>
  framed(
    '',
    Object.entries(value)
      .map(([name, member]) => row([inCell(name), cell(member, depth)], 'td'))
      .join(''),
  )

/** A value in a cell. The items of a list are one below the other. */
function cell(value: unknown, depth: number): string {
  if (depth >= DEEPEST || !(Array.isArray(value) || isDictionary(value))) return inCell(textOf(value))
  if (!Array.isArray(value)) return members(value, depth + 1)
  return value.map((item) => cell(item, depth + 1)).join(value.some((item) => typeof item === 'object') ? '' : '<br>')
}

/** Writes what is visible in a spreadsheet as HTML, with its title and author. */
export function writeSheets({ sheets, properties }: Spreadsheet): string {
  const shown = sheets.filter(({ hidden, rows, charts }) => !hidden && (rows.length > 0 || charts.length > 0))
  const author = properties.get('meta:initial-creator') ?? properties.get('dc:creator')
  const subject = properties.get('dc:subject')
  const keywords = properties.get('meta:keyword')
  const about = Object.entries({ author, subject, keywords })
    .map(([name, said]) => (said ? `<meta name="${name}" content="${escaped(said).replaceAll('"', '&quot;')}">` : ''))
    .join('')
  return page(
    named(shown.map((sheet) => [sheet.name, visible(sheet) + sheet.charts.join('')])),
    about + STYLE,
    properties.get('dc:title'),
  )
}

/** A sheet without hidden rows and columns, and without empty ones before its first cell. */
function visible({ rows, hiddenColumns }: Sheet): string {
  const filled = rows.map(({ cells }) => cells.findIndex(({ value }) => value !== ''))
  const top = filled.findIndex((at) => at >= 0)
  const left = Math.min(...filled.filter((at) => at >= 0))
  const width = rows.reduce((max, { cells }) => Math.max(max, cells.length), 0)
  const columns = Array.from({ length: width }, (_, x) => x).filter((x) => x >= left && !hiddenColumns.has(x))
  const lines = [...rows.keys()].filter((y) => y >= top && !rows[y]!.hidden)
  const covered = new Set<string>()

  /** A cell, in which those that it spans have their place. */
  function spanning(y: number, x: number): string {
    if (covered.has(`${y},${x}`)) return ''
    const cell = rows[y]!.cells[x] ?? NOTHING
    if (cell.across === 1 && cell.down === 1) return `<td>${cell.html}</td>`
    const below = lines.filter((line) => line >= y && line < y + cell.down)
    const beside = columns.filter((column) => column >= x && column < x + cell.across)
    for (const line of below) for (const column of beside) covered.add(`${line},${column}`)
    return `<td colspan="${beside.length}" rowspan="${below.length}">${cell.html}</td>`.replace(/ \w+span="1"/g, '')
  }

  const written = lines.map((y) => `<tr>${columns.map((x) => spanning(y, x)).join('')}</tr>\n`)
  const [head, ...body] = written.length > 1 ? written : ['', ...written]
  return framed(head!.replace(/(<\/?)td\b/g, '$1th'), body.join(''))
}
