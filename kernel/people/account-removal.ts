import type { Database } from '../database/database.ts'
import { expireOwned } from '../database/expire-owned.ts'
import { deleteKeysOf } from '../database/tables/api-keys.ts'
import { endBatchesOf } from '../database/tables/batches.ts'
import { deleteConnectionsOf } from '../database/tables/connections.ts'
import { cancelConversionsOf } from '../database/tables/conversions.ts'
import { deleteIdentitiesOf } from '../database/tables/identities.ts'
import { deleteResetsOf } from '../database/tables/password-resets.ts'
import { deleteInvitationsOf, deleteInvitationsTo } from '../database/tables/team-invitations.ts'
import { deleteMembershipsOf, deleteTeamMembers } from '../database/tables/team-members.ts'
import { deleteTeams, listTeamsOf } from '../database/tables/teams.ts'
import { deleteUser, type User } from '../database/tables/users.ts'
import { deleteWebhooksOf } from '../database/tables/webhooks.ts'

/**
 * Deletes an account with its keys, webhooks, teams, files and conversions. Sessions end at once, and files and results
 * are inaccessible at once. A running service stops the conversions within seconds and removes the bytes within a
 * minute.
 */
export async function removeAccount(transaction: Database, { id, email }: Pick<User, 'id' | 'email'>): Promise<void> {
  // First, so that nobody signs in. The lock on the row blocks requests that would add something.
  await deleteUser(transaction, id)
  const teams = await listTeamsOf(transaction, id)
  const owners = [id, ...teams]
  await deleteKeysOf(transaction, id)
  await deleteResetsOf(transaction, id)
  await deleteIdentitiesOf(transaction, id)
  await deleteMembershipsOf(transaction, id)
  await deleteConnectionsOf(transaction, id)
  for (const owner of owners) await deleteWebhooksOf(transaction, owner)
  await deleteInvitationsTo(transaction, email)
  await deleteTeamMembers(transaction, teams)
  await deleteInvitationsOf(transaction, teams)
  await deleteTeams(transaction, teams)
  await expireOwned(transaction, owners, async () => {
    await cancelConversionsOf(transaction, owners)
    await endBatchesOf(transaction, owners)
  })
}
