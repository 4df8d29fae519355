import type { Knex } from 'knex'
import type { User } from '../database/tables/users.ts'
import { audited } from '../settings/audit.ts'
import { CommandError } from './command.ts'
import type { AdminContext } from './operation.ts'

/**
 * Deletes an account with all that is its own, after it has printed what that is; without `yes` it only prints. Sessions
 * end at once. Files and results are out of reach at once, and the running service removes their bytes within a minute.
 */
export async function userDelete(
  { database, actor }: AdminContext,
  user: User,
  { yes, json }: { yes: boolean; json: boolean },
): Promise<void> {
  const found = await database.transaction((transaction) => inventory(transaction, user))
  const { teams, ...counts } = found
  if (json) console.log(JSON.stringify({ email: user.email, ...counts, teams: teams.length, deleted: yes }))
  else console.log(`${user.email}: ${describe({ ...counts, teams: teams.length })}`)
  if (!yes) throw new CommandError('Nothing is deleted yet; add --yes to delete all of this. It cannot be undone.')
  const details = { ...counts, teams: teams.length }
  await audited(database, { actor, action: 'user.delete', subject: user.email, details }, async (transaction) => {
    // First of all: nobody signs in, and the row's lock holds off what would be added.
    await transaction('users').where({ id: user.id }).delete()
    for (const table of ['api_keys', 'password_resets', 'identities', 'team_members']) {
      await transaction(table).where({ user_id: user.id }).delete()
    }
    await transaction('connections').where({ owner: user.id }).delete()
    await transaction('team_invitations').where({ email: user.email }).delete()
    for (const table of ['team_members', 'team_invitations']) await transaction(table).whereIn('team', teams).delete()
    await transaction('teams').whereIn('id', teams).delete()
    // Expired now: the sweeper of the service knows where the bytes are, and ends what waits for a file.
    const owners = [user.id, ...teams]
    for (const table of ['files', 'batches']) {
      await transaction(table).whereIn('owner', owners).update({ expires_at: 0 })
    }
    const ended = transaction('conversions').whereIn('owner', owners).whereIn('status', ['completed', 'failed'])
    await ended.update({ expires_at: 0 })
  })
  if (!json) console.log('Deleted.')
}

async function inventory(transaction: Knex.Transaction, { id }: User) {
  const count = async (table: string, column: string, values: readonly string[]) => {
    const [row] = await transaction(table).whereIn(column, values).count({ number: '*' })
    return Number(row!.number)
  }
  const teams: string[] = await transaction('teams').where({ owner: id }).pluck('id')
  const owners = [id, ...teams]
  return {
    teams,
    keys: await count('api_keys', 'user_id', [id]),
    connections: await count('connections', 'owner', [id]),
    files: await count('files', 'owner', owners),
    conversions: await count('conversions', 'owner', owners),
  }
}

const describe = (counts: Record<string, number>) =>
  `the account, its sessions, ${Object.entries(counts)
    .map(([what, number]) => `${number} ${what}`)
    .join(', ')}`
