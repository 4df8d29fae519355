import type { Database } from '../database.ts'
import { countRows } from '../rows.ts'
import type { TeamRow } from './teams.ts'
import type { User } from './users.ts'

/** The owner created the team and pays; admins can change it; members can use it. */
export type Role = 'owner' | 'admin' | 'member'

/** A row of the table `team_members`. */
export interface TeamMemberRow {
  team: string
  user_id: string
  role: Role
}

/** A team from the view of one of its members. */
export type Membership = Pick<TeamRow, 'id' | 'name' | 'created_at'> & Pick<TeamMemberRow, 'role'>

const members = (database: Database) => database<TeamMemberRow>('team_members')

const memberships = (database: Database, user_id: string) =>
  database('team_members')
    .join('teams', 'teams.id', 'team_members.team')
    .where({ user_id })
    .select('teams.id', 'teams.name', 'teams.created_at', 'team_members.role')

export const findMembership = (
  database: Database,
  { team, user_id }: Pick<TeamMemberRow, 'team' | 'user_id'>,
): Promise<Membership | undefined> => memberships(database, user_id).andWhere({ team }).first()

/** Lists a user's teams, newest first. @param before Only teams older than this id. */
export function listMemberships(
  database: Database,
  user_id: string,
  { limit, before }: { limit: number; before?: string },
): Promise<Membership[]> {
  const query = memberships(database, user_id).orderBy('team', 'desc').limit(limit)
  return before === undefined ? query : query.andWhere('team', '<', before)
}

export const isMember = async (database: Database, team: string, user_id: string): Promise<boolean> =>
  (await members(database).where({ team, user_id }).first('role')) !== undefined

/** Lists the accounts of a team's members by address, at most `limit`. */
export const listTeamMembers = (
  database: Database,
  team: string,
  limit: number,
): Promise<(Pick<User, 'id' | 'email' | 'name'> & Pick<TeamMemberRow, 'role'>)[]> =>
  database('team_members')
    .join('users', 'users.id', 'team_members.user_id')
    .where({ team })
    .orderBy('users.email')
    .limit(limit)
    .select('users.id', 'users.email', 'users.name', 'team_members.role')

export const countTeamMembers = (database: Database, team: string): Promise<number> =>
  countRows(members(database).where({ team }))

/** Adds a member. An existing member keeps the role. */
export async function insertTeamMember(database: Database, member: TeamMemberRow): Promise<void> {
  await members(database).insert(member).onConflict(['team', 'user_id']).ignore()
}

export async function updateTeamMember(database: Database, { role, ...which }: TeamMemberRow): Promise<void> {
  await members(database).where(which).update({ role })
}

export async function deleteTeamMember(
  database: Database,
  { team, user_id }: Pick<TeamMemberRow, 'team' | 'user_id'>,
): Promise<void> {
  await members(database).where({ team, user_id }).delete()
}

/** Ends a user's membership in all teams. */
export async function deleteMembershipsOf(database: Database, user_id: string): Promise<void> {
  await members(database).where({ user_id }).delete()
}

export async function deleteTeamMembers(database: Database, teams: readonly string[]): Promise<void> {
  await members(database).whereIn('team', teams).delete()
}
