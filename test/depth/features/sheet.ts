import type { Feature, Subject } from '../family.ts'
import { bookOf, type Found, formulasOf } from '../readers/books.ts'
import { tidy } from '../readers/tree.ts'
import type { Book, BookCell, BookSheet } from '../specimens/sheet-books.ts'
import { equal, instead, among as keptBy, lacks } from './compare.ts'
import { cells, visible } from './sheet-cells.ts'

const typed = ['xlsx', 'xlsm', 'xls', 'ods', 'fods']
const without = 'have no formulas, number formats, links, notes, colours, merged cells, widths, title and author'

/** A feature that some targets keep, others drop on purpose. */
const part = (
  name: string,
  kept: readonly string[],
  dropped: readonly string[],
  differs: (wanted: Book, got: Found, result: Subject) => string | undefined | Promise<string | undefined>,
): Feature<Book> => ({
  name,
  ...(dropped.length > 0 && { documented: without }),
  rule: keptBy(kept, dropped),
  read: bookOf as Feature['read'],
  differs: (wanted, got, result) => (got ? differs(wanted, got as Found, result) : 'it has no reader'),
})
const values = ['csv', 'tsv', 'json', 'yaml']

const each = ({ sheets }: Book) =>
  sheets.flatMap((sheet, index) =>
    sheet.rows.flatMap((row, y) => row.flatMap((cell, x) => (cell ? [{ cell, index, y, x }] : []))),
  )

/** Compares a property of each cell that has it. */
const ofCells =
  (of: (cell: BookCell) => string | undefined, tidied: (value: string) => string = (value) => value) =>
  (wanted: Book, { sheets }: Found) => {
    for (const { cell, index, y, x } of each(wanted)) {
      const other = sheets[index]?.rows[y]?.[x]
      const one = of(cell)
      const found = (other && of(other)) ?? undefined
      if (one !== undefined && one !== (found && tidied(found))) return instead(one, found)
    }
    return undefined
  }

const formula = (cell: BookCell) => cell.formula?.replace(/\s/g, '')
const formulas = part('formulas', typed, [...values, 'html', 'md', 'pdf'], async (wanted, got, { format, path }) =>
  ofCells(formula)(wanted, format === 'xls' ? { as: 'typed', ...(await formulasOf(path)) } : got),
)

/** Excel escapes letters; case and the colour in brackets have no meaning. */
const plain = (format?: string) => format?.replace(/\\|"/g, '').toLowerCase()
const formatted = ofCells(({ format }) => plain(format))
const formats = part('formats', ['xlsx', 'xlsm', 'xls'], values, formatted)

const sheets = part('sheets', [...typed, ...values, 'html', 'md', 'pdf'], [], (wanted, got) => {
  const isPage = got.as === 'lines' || got.links !== undefined
  const of = (list: readonly BookSheet[]) =>
    list.map(({ name, hidden }) => `${name}${got.as === 'typed' && hidden ? ' (hidden)' : ''}`).join(', ')
  const named = of(isPage ? visible(wanted) : wanted.sheets)
  // The only sheet gives its name to nothing.
  if (got.as !== 'typed' && wanted.sheets.length === 1) return undefined
  return equal(named, of(got.sheets))
})

const ofSheets =
  (of: (sheet: BookSheet) => unknown) =>
  ({ sheets: wanted }: Book, { sheets: got }: Found) =>
    equal(JSON.stringify(wanted.map(of)), JSON.stringify(got.map(of)))
const concealed = ofSheets(({ hiddenRows = [], hiddenColumns = [] }) => [hiddenRows, hiddenColumns])
const hidden = part('hidden', typed, [], concealed)
const united = ofSheets(({ merged = [] }) => merged)
const merged = part('merged', typed, values, united)

/** Widths that are told, in millimetres, within an eighth: fonts differ. */
const widths = part('widths', typed, values, (wanted, got) => {
  for (const [index, { widths = {} }] of wanted.sheets.entries())
    for (const [x, characters] of Object.entries(widths)) {
      const width = ((characters * 7 + 5) / 96) * 25.4
      const found = got.sheets[index]?.widths?.[x] ?? 0
      if (Math.abs(found / width - 1) > 1 / 8) return `column ${x} has ${found} mm instead of ${width}`
    }
  return undefined
})

const list = (book: Book, of: (cell: BookCell) => string | undefined) =>
  visible(book).flatMap(({ rows }) => rows.flat().flatMap((cell) => (cell && of(cell)) || []))
const among = (wanted: readonly string[], got: readonly string[] | undefined) =>
  lacks(wanted, got, (one, other) => tidy(other).includes(one))

const addressOf = ({ link }: BookCell) => link
const linked = ofCells(addressOf, (link) => link.replace(/\/$/, ''))
const links = part('links', [...typed, 'html', 'md', 'pdf'], values, (wanted, got) =>
  got.as === 'typed' ? linked(wanted, got) : among(list(wanted, addressOf), got.links),
)
const noteOf = ({ note }: BookCell) => note
const noted = ofCells(noteOf, (note) => note.trim().replace(/^\w+:\n/, ''))
const notes = part('notes', [...typed, 'html', 'pdf'], [...values, 'md'], (wanted, got) =>
  got.as === 'typed' ? noted(wanted, got) : among(list(wanted, noteOf), got.notes),
)
const look = ofCells(({ bold, fill }) => (bold ? `${bold} ${fill}` : undefined))
const emphasis = part('emphasis', typed, [...values, 'md'], look)

const described = (name: 'title' | 'author') =>
  part(name, [...typed, 'html', 'pdf'], values, (wanted, got) => equal(wanted[name], got[name]))

/** Features of spreadsheets and data. */
export const sheetFeatures: readonly Feature[] = [
  cells,
  sheets,
  formulas,
  formats,
  hidden,
  merged,
  widths,
  links,
  notes,
  emphasis,
  described('title'),
  described('author'),
]
