import type { Database } from '../database/database.ts'
import { deleteKeysOf } from '../database/tables/api-keys.ts'
import { deleteConnectionsOf } from '../database/tables/connections.ts'
import { deleteInvitationsOf } from '../database/tables/team-invitations.ts'
import { deleteMembershipsOf, deleteTeamMembers, insertTeamMember } from '../database/tables/team-members.ts'
import { listTeamsOf } from '../database/tables/teams.ts'
import { lockUser, updatePassword } from '../database/tables/users.ts'
import { deleteWebhooksOf } from '../database/tables/webhooks.ts'

/**
 * Records that the owner of an account's address uses the account now, if nobody has proved the address before. The
 * person who registered it loses the password, the sessions and what `dropUnproven` drops.
 *
 * @returns Whether it was not proved before.
 */
export async function proveAddress(transaction: Database, user_id: string): Promise<boolean> {
  const user = await lockUser(transaction, user_id)
  if (!user || user.verified) return false
  await updatePassword(transaction, { id: user_id }, null, { verified: true })
  await dropUnproven(transaction, user_id)
  return true
}

/**
 * Takes from an account what somebody may have set up who registered with an address of another person: keys,
 * connections, webhooks, and the other members of its teams. The files and teams stay. Call this in the transaction
 * that first proves the address; that transaction also ends the sessions and replaces the password.
 */
export async function dropUnproven(transaction: Database, user_id: string): Promise<void> {
  await deleteKeysOf(transaction, user_id)
  await deleteConnectionsOf(transaction, user_id)
  await deleteMembershipsOf(transaction, user_id)
  const teams = await listTeamsOf(transaction, user_id)
  await deleteTeamMembers(transaction, teams)
  await deleteInvitationsOf(transaction, teams)
  for (const owner of [user_id, ...teams]) await deleteWebhooksOf(transaction, owner)
  for (const team of teams) await insertTeamMember(transaction, { team, user_id, role: 'owner' })
}
