import type { Feature, Subject } from '../family.ts'
import { bookOf, type Found, formulasOf } from '../readers/books.ts'
import { tidy } from '../readers/tree.ts'
import type { Book, BookCell, BookSheet } from '../specimens/sheet-books.ts'
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
  rule: (_, to) => (kept.includes(to) ? 'kept' : dropped.includes(to) ? 'dropped' : undefined),
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
  (
    name: string,
    of: (cell: BookCell) => string | undefined,
    got: (cell: BookCell | null | undefined) => string | undefined = (cell) => (cell ? of(cell) : undefined),
  ) =>
  (wanted: Book, { sheets }: Found) => {
    for (const { cell, index, y, x } of each(wanted)) {
      const [one, other] = [of(cell), got(sheets[index]?.rows[y]?.[x])]
      if (one !== undefined && one !== other)
        return `${name} ${JSON.stringify(other)} instead of ${JSON.stringify(one)}`
    }
    return undefined
  }

const formula = (cell: BookCell) => cell.formula?.replace(/\s/g, '')
const formulas = part('formulas', typed, [...values, 'html', 'md', 'pdf'], async (wanted, got, { format, path }) =>
  ofCells('formula', formula)(wanted, format === 'xls' ? { as: 'typed', ...(await formulasOf(path)) } : got),
)

/** Excel escapes letters; case and the colour in brackets have no meaning. */
const plain = (format?: string) => format?.replace(/\\|"/g, '').toLowerCase()
const formats = part(
  'formats',
  ['xlsx', 'xlsm', 'xls'],
  values,
  ofCells('format', ({ format }) => plain(format)),
)

const sheets = part('sheets', [...typed, ...values, 'html', 'md', 'pdf'], [], (wanted, got) => {
  const isPage = got.as === 'lines' || got.links !== undefined
  const of = (list: readonly BookSheet[]) =>
    list.map(({ name, hidden }) => `${name}${got.as === 'typed' && hidden ? ' (hidden)' : ''}`).join(', ')
  const named = of(isPage ? visible(wanted) : wanted.sheets)
  // The only sheet gives its name to nothing.
  if (got.as !== 'typed' && wanted.sheets.length === 1) return undefined
  return of(got.sheets) === named ? undefined : `${of(got.sheets)} instead of ${named}`
})

const hidden = part('hidden', typed, [], (wanted, got) => {
  const of = ({ sheets }: Book) =>
    JSON.stringify(sheets.map(({ hiddenRows = [], hiddenColumns = [] }) => [hiddenRows, hiddenColumns]))
  return of(got) === of(wanted) ? undefined : `${of(got)} instead of ${of(wanted)}`
})

const merged = part('merged', typed, values, (wanted, got) => {
  const of = ({ sheets }: Book) => JSON.stringify(sheets.map(({ merged = [] }) => merged))
  return of(got) === of(wanted) ? undefined : `${of(got)} instead of ${of(wanted)}`
})

/** Widths that are told, in millimetres, within an eighth: fonts differ. */
const widths = part('widths', typed, values, (wanted, got) => {
  for (const [index, { widths = {} }] of wanted.sheets.entries())
    for (const [x, characters] of Object.entries(widths)) {
      const [width, found] = [((characters * 7 + 5) / 96) * 25.4, got.sheets[index]?.widths?.[x] ?? 0]
      if (Math.abs(found / width - 1) > 1 / 8) return `column ${x} has ${found} mm instead of ${width}`
    }
  return undefined
})

const list = (book: Book, of: (cell: BookCell) => string | undefined) =>
  visible(book).flatMap(({ rows }) => rows.flat().flatMap((cell) => (cell && of(cell)) || []))
const among = (wanted: readonly string[], got: readonly string[] = []) => {
  const lost = wanted.filter((one) => !got.some((other) => tidy(other).includes(one)))
  return lost.length > 0 ? `no ${lost.join(', ')} among ${got.join(', ')}` : undefined
}

const links = part('links', [...typed, 'html', 'md', 'pdf'], values, (wanted, got) =>
  got.as === 'typed'
    ? ofCells(
        'link',
        ({ link }) => link,
        (cell) => cell?.link?.replace(/\/$/, ''),
      )(wanted, got)
    : among(
        list(wanted, ({ link }) => link),
        got.links,
      ),
)
const notes = part('notes', [...typed, 'html', 'pdf'], [...values, 'md'], (wanted, got) =>
  got.as === 'typed'
    ? ofCells(
        'note',
        ({ note }) => note,
        (cell) => cell?.note?.trim().replace(/^\w+:\n/, ''),
      )(wanted, got)
    : among(
        list(wanted, ({ note }) => note),
        got.notes,
      ),
)
const emphasis = part(
  'emphasis',
  typed,
  [...values, 'md'],
  ofCells('look', ({ bold, fill }) => (bold ? `${bold} ${fill}` : undefined)),
)

const described = (name: 'title' | 'author') =>
  part(name, [...typed, 'html', 'pdf'], values, (wanted, got) =>
    got[name] === wanted[name] ? undefined : `${JSON.stringify(got[name])} instead of ${JSON.stringify(wanted[name])}`,
  )

/** Features of spreadsheets and data. */
export const sheetFeatures: readonly Feature[] = [
  ...[cells, sheets, formulas, formats, hidden, merged, widths, links, notes, emphasis],
  ...[described('title'), described('author')],
]
