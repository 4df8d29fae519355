import { parseArgs } from 'node:util'
import { CANCEL } from '../boot/settings/audit.ts'
import {
  type ConversionRow,
  findConversion,
  listForOperators,
  PENDING,
  type Status,
} from '../database/tables/conversions.ts'
import { readTrail } from '../jobs/work.ts'
import { createUsers } from '../people/users.ts'
import { printError, printJson, printLine } from '../terminal.ts'
import { askService } from './ask-service.ts'
import { type AdminCommand, CommandError, oneOf, refuseMore } from './command.ts'
import type { AdminContext } from './open-database.ts'
import { operate } from './open-database.ts'

/** Maximum number of conversions that are listed. */
const LIST_LIMIT = 200

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

/**
 * Asks the running service to cancel a conversion: it stops the engines, tells the client, logs and counts the end.
 * Resolves to the exit code.
 */
async function cancelConversion(context: AdminContext, id: string, { json }: { json: boolean }): Promise<number> {
  const status = async () => (await findConversion(context.database, id))?.status
  const hasEnded = (now: Status | undefined) => !now || !PENDING.includes(now)
  const before = await status()
  if (!before)
    throw new CommandError(`There is no conversion ${id}. conversion list shows the waiting and running ones.`)
  if (hasEnded(before)) throw new CommandError(`${id} has already ended: it is ${before}.`)
  const now = await askService(context, { action: CANCEL, subject: id }, status, hasEnded)
  if (json) printJson(JSON.stringify({ id, status: now ?? null }))
  else if (hasEnded(now)) printLine(now === 'completed' ? `${id} has completed meanwhile.` : `${id} is cancelled.`)
  else printError(`No running service has cancelled ${id} within 30 seconds.`)
  return hasEnded(now) ? 0 : 1
}

const DAY = 86_400_000

/** Prints the waiting and running conversions, and those of today (UTC) that failed, without names of files. */
async function printConversions(
  { database }: Pick<AdminContext, 'database'>,
  { owner, json }: { owner?: string | undefined; json: boolean },
): Promise<void> {
  const id = owner?.includes('@') ? (await createUsers(database).byEmail(owner))?.id : owner
  if (owner && !id) throw new CommandError(`--owner: there is no account with ${owner}; user list shows all accounts.`)
  const since = Math.floor(Date.now() / DAY) * DAY
  const rows = await listForOperators(database, { owner: id, since, limit: LIST_LIMIT })
  if (json) printJson(JSON.stringify(rows.map(shown), null, 2))
  else for (const row of rows) printLine(Object.values(shown(row)).join('  '))
}

const shown = (row: ConversionRow) => ({
  id: row.id,
  status: row.status,
  pair: `${row.from_format}>${row.to_format}`,
  owner: row.owner,
  createdAt: new Date(Number(row.created_at)).toISOString(),
  progress: `${row.progress} %`,
  detail: row.status === 'failed' ? `${row.error_code}: ${row.error_message}` : (row.node ?? ''),
})
