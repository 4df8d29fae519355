import { type ConversionRow, listForOperators } from '../database/tables/conversions.ts'
import { createUsers } from '../people/users.ts'
import { printJson, printLine } from '../terminal.ts'
import { CommandError } from './command.ts'
import type { AdminContext } from './operation.ts'

/** Maximum number of conversions that are listed. */
export const LIST_LIMIT = 200

const DAY = 86_400_000

/** Prints the waiting and running conversions, and those of today (UTC) that failed, without names of files. */
export async function printConversions(
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
