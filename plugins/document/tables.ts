import { libreoffice } from '../../engines/libreoffice.ts'
import { tables } from '../../engines/tables.ts'
import type { Route } from '../../kernel/contract.ts'
import { sheet, task } from './office.ts'
import type { DocumentOptions } from './options.ts'

const records = ['csv', 'tsv', 'json', 'yaml', 'xml']
const sheets = Object.keys(sheet.sources).filter((format) => !records.includes(format))

/**
 * The filter that writes each sheet to a file of its own, with values as they are displayed, in UTF-8.
 *
 * @param separator Code of the character between two cells.
 */
const separated = (separator: number) =>
  ['Text - txt - csv (StarCalc)', `${separator},34,76,1,,0,false,true,false,false,false,-1`] as const

const via = (from: readonly string[], to: readonly string[], by: string): Route<DocumentOptions> => ({
  ...{ from, to, via: by },
})

/** Rows and records into one another, spreadsheets into rows and records, and records into spreadsheets. */
export const tabular: Route<DocumentOptions>[] = [
  { from: records, to: records, engine: tables, args: (job) => [job.from, job.to] },
  {
    ...{ from: sheets, to: records, needs: ['uno', 'calc'] },
    steps: [
      // LibreOffice adds the name of the sheet to that of the file: `sheets-Sheet1.csv`.
      {
        engine: libreoffice,
        args: (job) => [task(sheet, job, separated(job.to === 'tsv' ? 9 : 44))],
        output: 'sheets.csv',
      },
      { engine: tables, args: (job) => ['sheets', job.to, job.scratch, job.pages, job.name] },
    ],
  },
  { from: ['json', 'yaml', 'xml'], to: ['html'], engine: tables, args: (job) => [job.from, job.to] },
  via(['json', 'yaml', 'xml'], ['xlsx', 'xls', 'xlsm', 'ods', 'fods'], 'csv'),
  // A page wraps long values; the column of a sheet would cut them.
  via(['json', 'yaml', 'xml'], ['pdf'], 'html'),
]
