import { join } from 'node:path'
import { office } from '../../fixtures/office.ts'
import { program } from '../../fixtures/program.ts'
import type { Specimen } from '../family.ts'
import { formatOf, inFile, saved } from '../saved.ts'
import { retype } from './retype.ts'
import { type Book, ledger, wide } from './sheet-books.ts'
import { cellOf, dataSpecimens } from './sheet-data.ts'

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

const all = (book: Book, without: readonly string[] = []) =>
  Object.fromEntries(features.filter((name) => !without.includes(name)).map((name) => [name, book]))

/** A specimen that holds a book, without some features. */
const specimen = (
  name: string,
  maker: string,
  book: Book,
  make: Specimen['make'],
  without: readonly string[] = [],
): Specimen => {
  const truth = all(book, without)
  return { name, from: formatOf(name), maker, features: Object.keys(truth), truth, make }
}

/** Writes a book with a library of Python or Perl. */
async function written(book: Book, maker: string, output: string): Promise<void> {
  const source = saved(`sheet/${book === wide ? 'wide' : 'ledger'}.json`)
  const script = join(import.meta.dirname, maker.includes('::') ? 'sheet-makers.pl' : 'sheet-makers.py')
  await program(maker.includes('::') ? 'perl' : '/usr/bin/python3', script, maker, source, output)
}

const by = (maker: string, name: string, book = ledger, without: readonly string[] = []) =>
  specimen(name, maker, book, (output) => written(book, maker, output), without)

/** A workbook with another type: a template, or a workbook with macros that has none. */
const retyped = (name: string, maker: string, type: string) =>
  specimen(name, maker, ledger, async (output, scratch) => {
    const input = join(scratch, 'book.xlsx')
    await written(ledger, maker, input)
    await retype(input, output, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml', type)
  })

const byLibreOffice = (name: string, filter: string, book = ledger) =>
  specimen(name, 'LibreOffice', book, async (output, scratch) => {
    const input = join(scratch, 'book.xlsx')
    await written(book, 'xlsxwriter', input)
    await office(input, output, scratch, filter)
  })

/** Gnumeric writes no hidden sheets into Excel's format of 2007. */
const uncovered: Book = { ...ledger, sheets: ledger.sheets.map((sheet) => ({ ...sheet, hidden: false })) }

const byGnumeric = (name: string, exporter: string, without: readonly string[] = []) =>
  specimen(
    name,
    'Gnumeric',
    name.endsWith('.xlsx') ? uncovered : ledger,
    async (output, scratch) => {
      const input = join(scratch, 'book.xlsx')
      await written(ledger, 'xlsxwriter', input)
      await program('ssconvert', '-T', exporter, input, output)
    },
    without,
  )

const macros = 'application/vnd.ms-excel.sheet.macroEnabled.main+xml'
const template = 'application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml'
const plain: Book = {
  sheets: [{ name: 'Fleet', rows: [['Boat', 'Men'].map(cellOf), ['Tern 007', '12.5'].map(cellOf)] }],
}

/** Specimens of spreadsheets and data. */
export const sheetSpecimens: readonly Specimen[] = [
  by('xlsxwriter', 'xlsxwriter.xlsx'),
  by('openpyxl', 'openpyxl.xlsx'),
  by('Excel::Writer::XLSX', 'perl.xlsx'),
  by('xlsxwriter', 'wide.xlsx', wide),
  byLibreOffice('office.xlsx', 'xlsx:Calc MS Excel 2007 XML'),
  byGnumeric('gnumeric.xlsx', 'Gnumeric_Excel:xlsx2'),
  retyped('template.xlsx', 'xlsxwriter', template),
  retyped('xlsxwriter.xlsm', 'xlsxwriter', macros),
  retyped('openpyxl.xlsm', 'openpyxl', macros),
  byLibreOffice('office.xlsm', 'xlsm:Calc MS Excel 2007 VBA XML'),
  by('Spreadsheet::WriteExcel', 'perl.xls'),
  byLibreOffice('office.xls', 'xls:MS Excel 97'),
  byGnumeric('gnumeric.xls', 'Gnumeric_Excel:excel_biff8'),
  inFile('sheet', 'xml.xls', all(ledger)),
  inFile(
    'sheet',
    'hand.xlsb',
    all(
      plain,
      features.filter((name) => !['cells', 'sheets'].includes(name)),
    ),
  ),
  byLibreOffice('office.ods', 'ods:calc8'),
  byLibreOffice('wide.ods', 'ods:calc8', wide),
  byGnumeric('gnumeric.ods', 'Gnumeric_OpenCalc:odf'),
  byLibreOffice('template.ods', 'ots:calc8_template'),
  inFile('sheet', 'hand.fods', all(ledger)),
  inFile('sheet', 'hand-wide.fods', all(wide)),
  byLibreOffice('office.fods', 'fods:OpenDocument Spreadsheet Flat XML'),
  ...dataSpecimens,
]
