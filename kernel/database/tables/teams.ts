import type { Database } from '../database.ts'
import { countRows } from '../rows.ts'

/** A row of the table `teams`. */
export interface TeamRow {
  /** `team_…`; ids sort by time. */
  id: string
  name: string
  /** The user who created it, who is charged for the team's conversions. */
  owner: string
  /** Epoch milliseconds. */
  created_at: number
}

const teams = (database: Database) => database<TeamRow>('teams')

export async function insertTeam(database: Database, team: TeamRow): Promise<void> {
  await teams(database).insert(team)
}

export const findTeam = (database: Database, id: string): Promise<TeamRow | undefined> =>
  teams(database).where({ id }).first()

/** Locks and returns the row until the transaction ends. Undefined: there is no such team. */
export const lockTeam = (transaction: Database, id: string): Promise<TeamRow | undefined> =>
  teams(transaction).where({ id }).forUpdate().first()

export async function renameTeam(database: Database, id: string, name: string): Promise<void> {
  await teams(database).where({ id }).update({ name })
}

export const countTeamsOf = (database: Database, owner: string): Promise<number> =>
  countRows(teams(database).where({ owner }))

/** Returns the ids of the teams that a user created. */
export const listTeamsOf = (database: Database, owner: string): Promise<string[]> =>
  teams(database).where({ owner }).pluck('id')

export async function deleteTeams(database: Database, ids: readonly string[]): Promise<void> {
  await teams(database).whereIn('id', ids).delete()
}
