import { office } from '../../fixtures/office.ts'
import type { Specimen } from '../family.ts'
import { inFile, saved, specimen } from '../saved.ts'
import { type Book, type BookCell, ledger, wide } from './sheet-books.ts'

/** Everything that is checked of a workbook; each feature looks up its part. */
const features = [
  'cells',
  'formulas',
  'sheets',
  'formats',
  'hidden',
  'merged',
  'widths',
  'links',
  'notes',
  'emphasis',
  'title',
  'author',
]
const all = (book: Book) => Object.fromEntries(features.map((name) => [name, book]))

/** A cell as its text tells; null if it is empty. */
const cellOf = (value: string): BookCell | null => {
  if (value === '') return null
  return { kind: /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(value) ? 'number' : 'text', value, shown: value }
}
const table = (rows: readonly (readonly string[])[]) => ({
  cells: { sheets: [{ name: '', rows: rows.map((row) => row.map(cellOf)) }] } satisfies Book,
})

/** What programs take for numbers, dates, formulas and markup. */
const rows = [
  ['Boat', 'Code', 'Note', 'Men'],
  ['Tern', '01234', 'a,b;c|d', '7'],
  ['Gull', '=1+1', 'he said "hi"', '-12.25'],
  ['Zoë Größe', '1e5', 'x<y&z>', '12'],
  ['שלום', '1/2/2020', '', '3'],
  ['⛵ sail', '12345678901234567890', '50%', '4'],
  ['Skua', 'TRUE', 'no', '5'],
]
/** Letters that Windows-1252 has. */
const western = rows.filter(([name]) => !/[^\0-\xff]/.test(name!))
const ragged = [
  ['Boat', 'Men', 'Note'],
  ['Tern', '7', ''],
  ['Gull', '12', 'two, words'],
]

/** Specimens of spreadsheets and data. */
export const sheetSpecimens: readonly Specimen[] = [
  inFile('sheet', 'ledger.xlsx', all(ledger)),
  inFile('sheet', 'wide.xlsx', all(wide)),
  specimen(
    'office.xls',
    (output, scratch) => office(saved('sheet/ledger.xlsx'), output, scratch, 'xls:MS Excel 97'),
    all(ledger),
  ),
  inFile('sheet', 'hand.fods', all(ledger)),
  // A byte order mark, CRLF, every cell in quotes, and no line end.
  inFile('sheet', 'dos.csv', table(rows)),
  inFile('sheet', 'western.csv', table(western)),
  inFile('sheet', 'ragged.csv', table(ragged)),
  inFile('sheet', 'rows.json', table(rows)),
]
