import { audited } from '../boot/settings/audit.ts'
import type { Database } from '../database/database.ts'
import { expireOwned } from '../database/expire-owned.ts'
import { countKeys, deleteKeysOf } from '../database/tables/api-keys.ts'
import { endBatchesOf } from '../database/tables/batches.ts'
import { countConnections, deleteConnectionsOf } from '../database/tables/connections.ts'
import { cancelConversionsOf, countConversionsOf } from '../database/tables/conversions.ts'
import { countFilesOf } from '../database/tables/files.ts'
import { deleteIdentitiesOf } from '../database/tables/identities.ts'
import { deleteResetsOf } from '../database/tables/password-resets.ts'
import { deleteInvitationsOf, deleteInvitationsTo } from '../database/tables/team-invitations.ts'
import { deleteMembershipsOf, deleteTeamMembers } from '../database/tables/team-members.ts'
import { deleteTeams, listTeamsOf } from '../database/tables/teams.ts'
import { deleteUser, type User } from '../database/tables/users.ts'
import { deleteWebhooksOf } from '../database/tables/webhooks.ts'
import { transact } from '../database/transact.ts'
import { printJson, printLine } from '../terminal.ts'
import { CommandError } from './command.ts'
import type { AdminContext } from './operation.ts'

/**
 * Prints what an account has, and with `yes` deletes the account with all of it. Sessions end at once, and files and
 * results are inaccessible at once. A running service stops the conversions within seconds and removes the bytes within
 * a minute.
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
  await audited(database, { actor, action: 'user.delete', subject: user.email, details }, async (transaction) => {
    // First, so that nobody signs in. The lock on the row blocks requests that would add something.
    await deleteUser(transaction, user.id)
    await deleteKeysOf(transaction, user.id)
    await deleteResetsOf(transaction, user.id)
    await deleteIdentitiesOf(transaction, user.id)
    await deleteMembershipsOf(transaction, user.id)
    await deleteConnectionsOf(transaction, user.id)
    for (const owner of [user.id, ...teams]) await deleteWebhooksOf(transaction, owner)
    await deleteInvitationsTo(transaction, user.email)
    await deleteTeamMembers(transaction, teams)
    await deleteInvitationsOf(transaction, teams)
    await deleteTeams(transaction, teams)
    const owners = [user.id, ...teams]
    await expireOwned(transaction, owners, async () => {
      await cancelConversionsOf(transaction, owners)
      await endBatchesOf(transaction, owners)
    })
  })
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
