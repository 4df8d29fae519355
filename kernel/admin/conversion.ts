import { type ConversionRow, findConversion } from '../database/tables/conversions.ts'
import { readTrail } from '../jobs/trails.ts'
import { printJson, printLine } from '../terminal.ts'
import { type AdminCommand, CommandError, readWords } from './command.ts'
import { operate } from './operation.ts'

/** `npm run admin -- conversion show ID`: shows which engines ran for a conversion. */
export const conversion: AdminCommand = {
  summary: 'Shows which engines ran for a conversion, with their arguments and output.',
  usage: [
    'Usage: npm run admin -- conversion show ID [--json]',
    '',
    'Shows each run of an engine: arguments inside the sandbox, exit code, CPU time, memory, last lines of output.',
    'The service keeps this as long as the record of the conversion: see retention in the configuration.',
  ].join('\n'),
  async run(args) {
    const { rest, json } = readWords('conversion', args, ['show'])
    const [id, tooMany] = rest
    if (!id || tooMany) throw new CommandError('conversion show: expected the id of one conversion, such as conv_….')
    const found = await operate(async ({ database }) => {
      const row = await findConversion(database, id)
      if (!row) throw new CommandError(`There is no conversion ${id}. It has expired, was deleted, or never existed.`)
      return { ...recordOf(row), runs: (await readTrail(database, id)) ?? [] }
    })
    if (json) printJson(JSON.stringify(found, null, 2))
    else for (const line of render(found)) printLine(line)
    return 0
  },
}

/** Returns the record without the name of its file. */
const recordOf = (row: ConversionRow) => ({
  id: row.id,
  owner: row.owner,
  plan: row.plan,
  status: row.status,
  attempts: row.attempts,
  pair: `${row.from_format}>${row.to_format}`,
  intent: row.intent,
  options: JSON.parse(row.options),
  sourceBytes: Number(row.source_size),
  resultBytes: row.output_size === null ? null : Number(row.output_size),
  createdAt: new Date(Number(row.created_at)).toISOString(),
  error: row.error_code && { code: row.error_code, message: row.error_message },
})

function render({ runs, ...record }: ReturnType<typeof recordOf> & { runs: Awaited<ReturnType<typeof readTrail>> }) {
  const facts = Object.entries(record).map(([name, value]) => {
    return `${name.padEnd(12)} ${typeof value === 'object' ? JSON.stringify(value) : value}`
  })
  const ran = (runs ?? []).flatMap(({ engine, args, exit, ms, cpu, memory, said }) => [
    '',
    `${engine}: ${exit === null ? 'still running' : `exit code ${exit}`} after ${ms} ms, ${cpu} s of CPU, ${memory} bytes`,
    `  ${args.map((arg) => JSON.stringify(arg)).join(' ')}`,
    ...said.map((line) => `  > ${line}`),
  ])
  return [...facts, ...(ran.length ? ran : ['', 'No engine has run, or the runs are not recorded.'])]
}
