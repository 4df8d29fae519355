import { parseArgs } from 'node:util'
import { type AuditFilter, listAudit } from '../database/tables/audit.ts'
import { printJson, printLine } from '../terminal.ts'
import { type AdminCommand, CommandError } from './command.ts'
import { operate } from './open-database.ts'

/** Default of --limit. */
const LIMIT = 100

/** `npm run admin -- audit`: lists the changes that administrators made. */
export const audit: AdminCommand = {
  summary: 'Lists the changes that administrators made with these commands.',
  usage: [
    'Usage: npm run admin -- audit [--actor NAME] [--action ACTION] [--subject S] [--since TIME] [--limit N] [--json]',
    '',
    'ACTION is one action such as user.set, or user for all actions on users. TIME is ISO 8601: 2026-11-01 or',
    `2026-11-01T08:00:00Z. Prints the newest N changes (default ${LIMIT}), oldest first. Changes are kept for 400 days.`,
  ].join('\n'),
  async run(args) {
    const text = { type: 'string' } as const
    const options = { actor: text, action: text, subject: text, since: text, limit: text } as const
    const { values } = parseArgs({ args, options: { ...options, json: { type: 'boolean', default: false } } })
    const { actor, action, subject } = values
    const filter: AuditFilter = {
      ...(actor && { actor }),
      ...(action && { action }),
      ...(subject && { subject }),
      since: values.since === undefined ? 0 : timeOf(values.since),
      limit: values.limit === undefined ? LIMIT : countOf(values.limit),
    }
    const lines = await operate(({ database }) => listAudit(database, filter))
    const shown = lines.map(({ at, details, ...line }) => ({
      at: new Date(Number(at)).toISOString(),
      ...line,
      details: JSON.parse(details) as object,
    }))
    if (values.json) printJson(JSON.stringify(shown, null, 2))
    else
      for (const line of shown) printLine([line.at, line.actor, line.action, line.subject, detailed(line)].join('  '))
    return 0
  },
}

const detailed = ({ details }: { details: object }) => (Object.keys(details).length ? JSON.stringify(details) : '')

function timeOf(text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new CommandError(`--since: "${text}" is not a time; write it as 2026-11-01T08:00:00Z.`)
  return time
}

function countOf(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new CommandError(`--limit: "${text}" is not allowed; expected a whole number from 1 to 999999.`)
}
