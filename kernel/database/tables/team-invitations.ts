import type { Database } from '../database.ts'
import { countRows } from '../rows.ts'
import type { TeamMemberRow } from './team-members.ts'

/** A row of the table `team_invitations`: an open invitation. Times are epoch milliseconds. */
export interface TeamInvitationRow {
  /** `inv_…`; ids sort by time. */
  id: string
  team: string
  /** As `users.email`. Without the user's id: the row is the same whether or not the account exists. */
  email: string
  /** The address as typed. The team sees only this spelling. */
  typed: string
  role: Exclude<TeamMemberRow['role'], 'owner'>
  created_at: number
  expires_at: number
}

type Which = Pick<TeamInvitationRow, 'id' | 'email'>

const invitations = (database: Database) => database<TeamInvitationRow>('team_invitations')

/** Lists valid invitations of a team by address, at most `limit`. */
export const listInvitationsOf = (
  database: Database,
  team: string,
  { now, limit }: { now: number; limit: number },
): Promise<TeamInvitationRow[]> =>
  invitations(database).where({ team }).andWhere('expires_at', '>', now).orderBy('email').limit(limit)

/** Lists valid invitations to an address, newest first, with the team's name and its owner's address. */
export const listInvitationsTo = (
  database: Database,
  email: string,
  { now, limit }: { now: number; limit: number },
): Promise<(Pick<TeamInvitationRow, 'id' | 'team' | 'role' | 'created_at'> & { name: string; owner: string })[]> =>
  database('team_invitations')
    .join('teams', 'teams.id', 'team_invitations.team')
    .join('users', 'users.id', 'teams.owner')
    .where('team_invitations.email', email)
    .andWhere('team_invitations.expires_at', '>', now)
    .orderBy('team_invitations.id', 'desc')
    .limit(limit)
    .select('team_invitations.id', 'team', 'teams.name', 'role', 'team_invitations.created_at')
    .select({ owner: 'users.email' })

/** Returns an invitation to this address that has not expired. */
export const findInvitation = (
  database: Database,
  { id, email }: Which,
  now: number,
): Promise<TeamInvitationRow | undefined> =>
  invitations(database).where({ id, email }).andWhere('expires_at', '>', now).first()

/** Resolves to whether it existed. */
export const deleteInvitation = async (database: Database, { id, email }: Which): Promise<boolean> =>
  (await invitations(database).where({ id, email }).delete()) > 0

/** Lists the addresses that a team has invited. */
export const listInvited = (database: Database, team: string): Promise<string[]> =>
  invitations(database).where({ team }).pluck('email')

export const countInvitations = (database: Database, team: string): Promise<number> =>
  countRows(invitations(database).where({ team }))

export async function insertInvitations(database: Database, rows: readonly TeamInvitationRow[]): Promise<void> {
  await invitations(database).insert([...rows])
}

/** Changes the invitation of an address to a team. */
export async function updateInvitation(
  database: Database,
  { team, email, ...fields }: Pick<TeamInvitationRow, 'team' | 'email' | 'typed' | 'role'>,
): Promise<void> {
  await invitations(database).where({ team, email }).update(fields)
}

/** Revokes the invitation of an address to a team. */
export async function deleteInvitationOf(database: Database, team: string, email: string): Promise<void> {
  await invitations(database).where({ team, email }).delete()
}

export async function deleteInvitationsTo(database: Database, email: string): Promise<void> {
  await invitations(database).where({ email }).delete()
}

/** @param expiredAt Only invitations that have expired by then, in epoch milliseconds. */
export async function deleteInvitationsOf(
  database: Database,
  teams: readonly string[],
  expiredAt = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  await invitations(database).whereIn('team', teams).andWhere('expires_at', '<=', expiredAt).delete()
}
