import { parseArgs } from 'node:util'
import { type ConversionRow, findConversion } from '../database/tables/conversions.ts'
import { readTrail } from '../jobs/trails.ts'
import { printJson, printLine } from '../terminal.ts'
import { type AdminCommand, CommandError, oneOf, refuseMore } from './command.ts'
import { cancelConversion } from './conversion-cancel.ts'
import { LIST_LIMIT, printConversions } from './conversion-list.ts'
import { operate } from './operation.ts'

const OPTIONS = { owner: { type: 'string' }, json: { type: 'boolean', default: false } } as const

/** `npm run admin -- conversion list|show|cancel`: conversions of all owners. */
export const conversion: AdminCommand = {
  summary: 'Lists conversions, shows which engines ran for one, or cancels one.',
  usage: [
    'Usage: npm run admin -- conversion list [--owner OWNER] [--json]',
    '       npm run admin -- conversion show ID [--json]',
    '       npm run admin -- conversion cancel ID [--json]',
    '',
    `list: running and waiting conversions, and those that were requested today (UTC) and failed; the newest ${LIST_LIMIT}.`,
    'OWNER is the email address of an account, or the id of an owner as list prints it.',
    'show: each run of an engine: arguments inside the sandbox, exit code, CPU time, memory, last lines of output.',
    'The service keeps this as long as the record of the conversion: see retention in the configuration.',
    'cancel: asks the running service, which stops the engines. Exits with 1 if no service does so within 30 seconds.',
  ].join('\n'),
  async run(args) {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
    const [word, id, ...more] = positionals
    const action = oneOf('conversion', word, ['list', 'show', 'cancel'])
    if (action === 'list') {
      refuseMore('conversion list', positionals.slice(1))
      await operate((operation) => printConversions(operation, values))
      return 0
    }
    if (!id || more.length)
      throw new CommandError(`conversion ${action}: expected the id of one conversion, such as conv_….`)
    if (action === 'cancel') return operate((operation) => cancelConversion(operation, id, values))
    const found = await operate(async ({ database }) => {
      const row = await findConversion(database, id)
      if (!row) throw noConversion(id)
      return { ...recordOf(row), runs: (await readTrail(database, id)) ?? [] }
    })
    if (values.json) printJson(JSON.stringify(found, null, 2))
    else for (const line of render(found)) printLine(line)
    return 0
  },
}

const noConversion = (id: string) =>
  new CommandError(`There is no conversion ${id}. It has expired, was deleted, or never existed.`)

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
  requestId: row.request_id,
  node: row.node,
  error: row.error_code && { code: row.error_code, message: row.error_message },
})

/** What to say if no run is recorded. */
const WITHOUT_RUNS: Readonly<Record<ConversionRow['status'], string>> = {
  queued: 'It waits: no engine has run yet.',
  processing: 'It runs now. The runs of its engines are recorded when it ends.',
  completed: 'The runs of its engines are not recorded.',
  failed: 'No engine ran for it, or it was cancelled while one did.',
}

function render({ runs, ...record }: ReturnType<typeof recordOf> & { runs: Awaited<ReturnType<typeof readTrail>> }) {
  const facts = Object.entries(record).map(([name, value]) => {
    return `${name.padEnd(12)} ${value === null ? '-' : typeof value === 'object' ? JSON.stringify(value) : value}`
  })
  const ran = (runs ?? []).flatMap(({ engine, args, exit, ms, cpu, memory, said }) => [
    '',
    `${engine}: ${exit === null ? 'was stopped' : `exit code ${exit}`} after ${ms} ms, ${cpu} s of CPU, ${memory} bytes`,
    `  ${args.map((arg) => JSON.stringify(arg)).join(' ')}`,
    ...said.map((line) => `  > ${line}`),
  ])
  return [...facts, ...(ran.length ? ran : ['', WITHOUT_RUNS[record.status]])]
}
