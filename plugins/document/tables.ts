import { libreoffice } from '../../engines/libreoffice.ts'
import { tables } from '../../engines/tables.ts'
import type { Route } from '../../kernel/contract.ts'
import { sheet, task } from './office.ts'
import type { DocumentOptions } from './options.ts'

const records = ['csv', 'tsv', 'json', 'yaml', 'xml']
const sheets = Object.keys(sheet.sources).filter((format) => !records.includes(format))

/** Every sheet into a file of its own, values as they are shown, in UTF-8. The first number is the separator. */
const separated = (separator: number) =>
  ['Text - txt - csv (StarCalc)', `${separator},34,76,1,,0,false,true,false,false,false,-1`] as const

const via = (from: readonly string[], to: readonly string[], by: string): Route<DocumentOptions> => ({
  ...{ from, to, via: by },
})

/** Rows and records into one another; the sheets of a spreadsheet into rows or records; records into spreadsheets. */
export const tabular: Route<DocumentOptions>[] = [
  { from: records, to: records, engine: tables, args: (job) => [job.from, job.to] },
  {
    ...{ from: sheets, to: records, needs: ['uno', 'calc'] },
    steps: [
      // LibreOffice puts the name of a sheet into that of its file: `sheets-Sheet1.csv`.
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
  // A page wraps what does not fit into the column of a sheet.
  via(['json', 'yaml', 'xml'], ['pdf'], 'html'),
]
