import { libreoffice } from '../../engines/libreoffice.ts'
import { tables } from '../../engines/tables.ts'
import type { Job, Route, Step } from '../../kernel/contract.ts'
import { removes, strip } from './metadata.ts'
import { sheet, task } from './office.ts'
import type { DocumentOptions } from './options.ts'
import { handwritten, office, pack, write } from './pandoc.ts'

const separated = ['csv', 'tsv']
const values = ['json', 'yaml', 'xml']
const records = [...separated, ...values]
const sheets = Object.keys(sheet.sources)
const calc = ['uno', 'calc']

/**
 * The filter that writes each sheet to a file of its own, with values as they are displayed, in UTF-8.
 *
 * @param separator Code of the character between two cells.
 */
const eachSheet = (separator: number) =>
  ['Text - txt - csv (StarCalc)', `${separator},34,76,1,,0,false,true,true,false,false,-1`] as const

/** The spreadsheet with the type of every cell, for `tables` to read. */
const flat: Step<DocumentOptions> = {
  engine: libreoffice,
  args: (job) => [task(sheet, job, sheet.targets.fods)],
  output: 'sheets.fods',
}

/** A spreadsheet of text, numbers and truth values as the source has them, for LibreOffice to read. */
const literal: Step<DocumentOptions> = {
  engine: tables,
  args: (job) => [job.from, 'fods', job.name, job.to],
  output: 'literal.fods',
}
const store: Step<DocumentOptions> = {
  engine: libreoffice,
  args: (job) => [task(sheet, { ...job, from: 'fods' }, sheet.targets[job.to])],
}

/** A page without a title, which pandoc would write above the text. */
const page: Step<DocumentOptions> = { engine: tables, args: (job) => [job.from, 'html'], output: 'page.html' }
const texts = [...Object.keys(handwritten), ...Object.keys(office)]

/** The title of a page that has none of its own. */
const title = (job: Job<DocumentOptions>) => !removes(job) && job.name

const via = (from: readonly string[], to: readonly string[], by: string): Route<DocumentOptions> => ({
  from,
  to,
  via: by,
})

/** Rows and records into one another and into spreadsheets; spreadsheets into rows, records and texts. */
export const tabular: Route<DocumentOptions>[] = [
  { from: records, to: records, engine: tables, args: (job) => [job.from, job.to] },
  { from: records, to: ['html'], engine: tables, args: (job) => [job.from, job.to, title(job)] },
  {
    from: sheets,
    to: separated,
    needs: calc,
    steps: [
      // LibreOffice adds the name of the sheet to that of the file: `sheets-Sheet1.csv`.
      {
        engine: libreoffice,
        args: (job) => [task(sheet, job, eachSheet(job.to === 'tsv' ? 9 : 44))],
        output: 'sheets.csv',
      },
      { engine: tables, args: (job) => ['sheets', job.to, job.scratch, job.pages, job.name] },
    ],
  },
  {
    from: sheets,
    to: values,
    needs: calc,
    steps: [flat, { engine: tables, args: (job) => ['sheets', job.to] }],
  },
  {
    from: sheets,
    to: [...texts, 'xhtml'],
    needs: calc,
    steps: [
      flat,
      { engine: tables, args: ({ to }) => ['sheets', 'html', to === 'md.zip' && '--comments'], output: 'page.html' },
      write,
      pack,
    ],
  },
  { from: separated, to: [...texts, 'xhtml'], steps: [page, write, pack] },
  { from: values, to: ['docx', 'odt', 'rtf', 'txt', 'md', 'md.zip'], steps: [page, write, pack] },
  {
    from: records,
    to: ['xlsx', 'xls', 'xlsm', 'ods', 'fods'],
    engine: libreoffice,
    needs: calc,
    steps: [literal, store],
  },
  {
    from: separated,
    to: ['pdf'],
    engine: libreoffice,
    needs: calc,
    steps: [literal, { ...store, output: 'described.pdf' }, strip],
  },
  // A page wraps long values; the column of a sheet would cut them.
  via(values, ['pdf'], 'html'),
]
