import { libreoffice } from '../../engines/libreoffice.ts'
import { tables } from '../../engines/tables.ts'
import type { Job, Route, Run } from '../../kernel/contract.ts'
import { applications, task } from './office.ts'
import type { DocumentOptions } from './options.ts'

const records = ['csv', 'tsv', 'json', 'yaml', 'xml']
const [, calc] = applications as [unknown, (typeof applications)[number]]
const sheets = Object.keys(calc.sources).filter((format) => !records.includes(format))

/** Every sheet into a file of its own, values as they are shown, in UTF-8. The first number is the separator. */
const separated = (separator: number) =>
  ['Text - txt - csv (StarCalc)', `${separator},34,76,1,,0,false,true,false,false,false,-1`] as const

async function unfold(job: Job<DocumentOptions>, run: Run): Promise<void> {
  const filter = separated(job.to === 'tsv' ? 9 : 44)
  const output = `${job.scratch}/sheets.${job.to === 'tsv' ? 'tsv' : 'csv'}`
  await run(libreoffice, [task(calc, job, filter)], { output })
  await run(tables, ['sheets', job.to, job.scratch, job.pages, job.name])
}

const via = (from: readonly string[], to: readonly string[], by: string): Route<DocumentOptions> => ({
  ...{ from, to, via: by },
})

/** Rows and records into one another; the sheets of a spreadsheet into rows or records; records into spreadsheets. */
export const tabular: Route<DocumentOptions>[] = [
  { from: records, to: records, engine: tables, args: (job) => [job.from, job.to] },
  {
    ...{ from: sheets, to: records, engine: libreoffice, needs: ['uno', 'calc'], uses: [tables] },
    convert: unfold,
  },
  { from: ['json', 'yaml', 'xml'], to: ['html'], engine: tables, args: (job) => [job.from, job.to] },
  via(['json', 'yaml', 'xml'], ['xlsx', 'xls', 'xlsm', 'ods', 'fods'], 'csv'),
  // A page wraps what no column of a sheet holds.
  via(['json', 'yaml', 'xml'], ['pdf'], 'html'),
]
