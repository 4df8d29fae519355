import type { Feature } from '../family.ts'
import { bookOf, type Found } from '../readers/books.ts'
import { tidy } from '../readers/tree.ts'
import type { Book, BookCell, BookSheet } from '../specimens/sheet-books.ts'

type Cell = BookCell | null | undefined
type Say = string | undefined

const close = (one: string, other: string, share: number) =>
  one === other || Math.abs(Number(one) - Number(other)) <= Math.abs(Number(one)) * share

/** The same value of the same type. */
function same(wanted: BookCell, got: Cell): boolean {
  if (!got || got.kind !== wanted.kind) return false
  if (wanted.kind === 'number') return close(wanted.value, got.value, 1e-14)
  return wanted.kind === 'time' ? close(wanted.value, got.value, 1e-9) : wanted.value === got.value
}

/** The same value as JSON and YAML have it: dates, times and errors are texts. */
function recorded(wanted: BookCell, got: Cell): boolean {
  const isText = ['date', 'time', 'error'].includes(wanted.kind)
  const value = wanted.kind === 'date' ? wanted.value : wanted.shown
  return isText ? got?.kind === 'text' && got.value === value : same(wanted, got)
}

const told = (cell: Cell) => (cell ? `${cell.kind} ${JSON.stringify(cell.value)}` : 'nothing')

type Compare = (wanted: BookCell, got: Cell) => boolean
const shownExactly: Compare = (wanted, got) => got?.value === wanted.shown
const shownTidy: Compare = (wanted, got) => tidy(got?.value ?? '') === tidy(wanted.shown)

function compareRows(sheet: BookSheet, rows: BookSheet['rows'], got: BookSheet['rows'], is: Compare): Say {
  for (const [y, row] of rows.entries())
    for (let x = 0; x < Math.max(row.length, got[y]?.length ?? 0); x++) {
      const wanted = row[x]
      const other = got[y]?.[x]
      if (wanted ? !is(wanted, other) : other)
        return `${sheet.name} row ${y + 1} column ${x + 1} has ${told(other)} instead of ${told(wanted)}`
    }
  return got.length > rows.length ? `${sheet.name} has ${got.length} rows instead of ${rows.length}` : undefined
}

/** What a person sees: no hidden sheets, rows and columns. */
export const visible = ({ sheets }: Book): BookSheet[] =>
  sheets
    .filter(({ hidden }) => !hidden)
    .map((sheet) => ({
      ...sheet,
      rows: sheet.rows
        .filter((_, y) => !sheet.hiddenRows?.includes(y))
        .map((row) => row.filter((_, x) => !sheet.hiddenColumns?.includes(x))),
    }))

/** Cells of a row on one line, in order. Lines of a cell, and merged cells, may be anywhere. */
function onLines(sheets: readonly BookSheet[], lines: readonly string[]): Say {
  const cut = lines.find((line) => line.includes('###'))
  if (cut) return `a cell is too narrow: ${cut}`
  for (const sheet of sheets)
    for (const row of sheet.rows) {
      const shown = row.flatMap((cell) => (cell ? cell.shown.split('\n') : []).map(tidy).filter(Boolean))
      // Texts of merged cells stand in the last of their rows.
      const single =
        sheet.merged || row.some((cell) => cell?.shown.includes('\n'))
          ? shown.every((text) => lines.some((line) => line.includes(text)))
          : lines.some((line) => {
              let at = 0
              return shown.every((text) => (at = line.indexOf(text, at) + text.length) >= text.length)
            })
      if (shown.length > 0 && !single) return `no line with ${JSON.stringify(shown)}`
    }
  return undefined
}

/** Names of records: a column without a name is numbered. A merged sheet has such ones. */
const withHead = (sheet: BookSheet): BookSheet['rows'] => {
  const [head = [], ...body] = sheet.rows
  const width = Math.max(...sheet.rows.map((row) => row.length))
  const names = Array.from({ length: width }, (_, x): BookCell => {
    const value = head[x]?.shown ?? `column${x + 1}`
    return { kind: 'text', value, shown: value }
  })
  return [names, ...body]
}

function compare(book: Book, got: Found): Say {
  if (got.as === 'lines') return onLines(visible(book), got.lines!)
  const isPage = got.as === 'shown' && got.links
  const sheets = isPage ? visible(book) : book.sheets
  if (got.sheets.length !== sheets.length) return `${got.sheets.length} sheets instead of ${sheets.length}`
  for (const [index, sheet] of sheets.entries()) {
    const { rows } = got.sheets[index]!
    const is = got.as === 'typed' ? same : got.as === 'records' ? recorded : isPage ? shownTidy : shownExactly
    const said = compareRows(sheet, got.as === 'records' ? withHead(sheet) : sheet.rows, rows, is)
    if (said) return said
  }
  return undefined
}

/** Each cell: its value and type between spreadsheets, its text elsewhere. On paper, no cell is cut. */
export const cells: Feature<Book> = {
  name: 'cells',
  rule: () => 'kept',
  read: bookOf as Feature['read'],
  differs: (wanted, got) => (got ? compare(wanted, got as Found) : 'it has no reader'),
}
