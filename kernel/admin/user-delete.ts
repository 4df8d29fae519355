import { audited } from '../boot/settings/audit.ts'
import type { Database } from '../database/database.ts'
import { countKeys } from '../database/tables/api-keys.ts'
import { countConnections } from '../database/tables/connections.ts'
import { countConversionsOf } from '../database/tables/conversions.ts'
import { countFilesOf } from '../database/tables/files.ts'
import { listTeamsOf } from '../database/tables/teams.ts'
import type { User } from '../database/tables/users.ts'
import { transact } from '../database/transact.ts'
import { removeAccount } from '../people/account-removal.ts'
import { printJson, printLine } from '../terminal.ts'
import { CommandError } from './command.ts'
import type { AdminContext } from './open-database.ts'

/**
 * Prints what an account has, and with `yes` deletes the account with all of it, as `removeAccount` says.
 */
export async function userDelete(
  { database, actor }: AdminContext,
  user: User,
  { yes, json }: { yes: boolean; json: boolean },
): Promise<void> {
  const found = await transact(database, (transaction) => inventory(transaction, user))
  const { teams, ...counts } = found
  if (json) printJson(JSON.stringify({ email: user.email, ...counts, teams: teams.length, deleted: yes }))
  else printLine(`${user.email}: ${describe({ ...counts, teams: teams.length })}`)
  if (!yes) throw new CommandError('Nothing was deleted. Add --yes to delete all of this. It cannot be undone.')
  const details = { ...counts, teams: teams.length }
  await audited(database, { actor, action: 'user.delete', subject: user.email, details }, (transaction) =>
    removeAccount(transaction, user),
  )
  if (!json) printLine('Deleted.')
}

async function inventory(transaction: Database, { id }: User) {
  const teams = await listTeamsOf(transaction, id)
  const owners = [id, ...teams]
  return {
    teams,
    keys: await countKeys(transaction, id),
    connections: await countConnections(transaction, id),
    files: await countFilesOf(transaction, owners),
    conversions: await countConversionsOf(transaction, owners),
  }
}

const describe = (counts: Record<string, number>) =>
  `the account, its sessions, ${Object.entries(counts)
    .map(([what, number]) => `${number} ${what}`)
    .join(', ')}`
