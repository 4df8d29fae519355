import type { Database } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { ServiceError } from '../errors.ts'
import { type Owner, owns, type Payer } from './owner.ts'
import type { Users } from './users.ts'

/** The owner made the team and pays; admins change it; members use it. */
export type Role = 'owner' | 'admin' | 'member'

/** A team as one of its members sees it. */
export interface Team {
  id: string
  name: string
  /** Of the one who asks. */
  role: Role
  /** Epoch milliseconds. */
  createdAt: number
}

/** A change of somebody's membership; `none` ends it. */
export interface MemberChange {
  email: string
  role: 'admin' | 'member' | 'none'
}

export interface Teams {
  /** @throws ServiceError BAD_REQUEST for too many teams or members, and addresses without an account. */
  create(user: string, request: { name: string; members?: readonly MemberChange[] }): Promise<Team>
  /** A user's teams, newest first, those before the team `before`. */
  list(user: string, page: { limit: number; before?: string }): Promise<Team[]>
  /** @throws ServiceError NOT_FOUND, also for teams of others. */
  get(user: string, id: string): Promise<Team>
  /** Members by their address. */
  members(id: string): Promise<{ email: string; name: string | null; role: Role }[]>
  /** @throws ServiceError NOT_FOUND, FORBIDDEN, BAD_REQUEST. */
  change(user: string, id: string, change: { name?: string; members?: readonly MemberChange[] }): Promise<Team>
  /** @throws ServiceError NOT_FOUND, FORBIDDEN. */
  remove(user: string, id: string): Promise<void>
  /** Who pays for what a member starts for the team. @throws ServiceError NOT_FOUND, FORBIDDEN. */
  payer(user: string, id: string): Promise<Payer>
  /** Whether a conversion or batch of the owner `whose` is this owner's to see, in person or as a member of a team. */
  sees(owner: Owner, whose: string): Promise<boolean>
}

/** Teams that one account can make, and members of one team. */
const MOST = { teams: 20, members: 100 }

const isTeam = (id: string) => /^team_[0-9a-f]{32}$/.test(id)

/** Users who see each other's conversions; the quota is that of the one who made the team. */
export function createTeams({ database, users }: { database: Database; users: Users }): Teams {
  const memberships = () => database('team_members')
  const joined = () =>
    memberships()
      .join('teams', 'teams.id', 'team_members.team')
      .select('teams.id', 'teams.name', 'team_members.role', { createdAt: 'teams.created_at' })

  async function get(user: string, id: string): Promise<Team> {
    const row = isTeam(id) ? await joined().where({ team: id, user_id: user }).first() : undefined
    if (!row) throw notFound()
    return fromRow(row)
  }

  /** Whom a team is charged to. It may have been deleted a moment ago. */
  async function ownerOf(id: string): Promise<string> {
    const row = await database('teams').where({ id }).first('owner')
    if (!row) throw notFound()
    return row.owner
  }

  /** The changes by their user. */
  async function resolve(changes: readonly MemberChange[]): Promise<Map<string, MemberChange['role']>> {
    const roles = new Map<string, MemberChange['role']>()
    for (const [at, { email, role }] of changes.entries()) {
      const user = await users.byEmail(email)
      if (!user) throw new ServiceError('BAD_REQUEST', `members[${at}].email must be the address of an account`)
      roles.set(user.id, role)
    }
    return roles
  }

  async function setRoles(transaction: Database, team: string, roles: ReadonlyMap<string, MemberChange['role']>) {
    for (const [user_id, role] of roles) {
      if (role === 'none') await transaction('team_members').where({ team, user_id }).delete()
      else await transaction('team_members').insert({ team, user_id, role }).onConflict(['team', 'user_id']).merge()
    }
    const [counted] = await transaction('team_members').where({ team }).count({ members: '*' })
    if (Number(counted!.members) > MOST.members) {
      throw new ServiceError('BAD_REQUEST', `members must be at most ${MOST.members} of one team`)
    }
  }

  return {
    get,

    async create(user, { name, members = [] }) {
      const [counted] = await database('teams').where({ owner: user }).count({ teams: '*' })
      if (Number(counted!.teams) >= MOST.teams) {
        throw new ServiceError('BAD_REQUEST', `You have ${MOST.teams} teams, as many as an account can have`)
      }
      const roles = await resolve(members)
      // Whoever else is named, the one who asks is the owner.
      roles.delete(user)
      const team: Team = { id: newId('team_'), name, role: 'owner', createdAt: Date.now() }
      await database.transaction(async (transaction) => {
        await transaction('teams').insert({ id: team.id, name, owner: user, created_at: team.createdAt })
        await transaction('team_members').insert({ team: team.id, user_id: user, role: 'owner' })
        await setRoles(transaction, team.id, roles)
      })
      return team
    },

    async list(user, { limit, before }) {
      const query = joined().where({ user_id: user }).orderBy('team', 'desc').limit(limit)
      if (before !== undefined) query.andWhere('team', '<', before)
      return (await query).map(fromRow)
    },

    members: (id) =>
      memberships()
        .join('users', 'users.id', 'team_members.user_id')
        .where({ team: id })
        .orderBy('users.email')
        .limit(MOST.members)
        .select('users.email', 'users.name', 'team_members.role'),

    async change(user, id, { name, members = [] }) {
      const team = await get(user, id)
      const roles = await resolve(members)
      // Anybody may leave.
      const others = [...roles].filter(([whose, role]) => whose !== user || role !== 'none')
      if (team.role === 'member' && (name !== undefined || others.length)) {
        throw new ServiceError('FORBIDDEN', 'Only the owner and the admins of a team change it')
      }
      const owner = await ownerOf(id)
      if (roles.has(owner)) {
        throw new ServiceError('BAD_REQUEST', 'members must not name the owner, who stays until the team is deleted')
      }
      await database.transaction(async (transaction) => {
        // First of all: the row's lock lets one change at a time count the members.
        if (
          !(await transaction('teams')
            .where({ id })
            .update({ name: name ?? team.name }))
        )
          throw notFound()
        await setRoles(transaction, id, roles)
      })
      return { ...team, name: name ?? team.name }
    },

    async remove(user, id) {
      const { role } = await get(user, id)
      if (role !== 'owner') throw new ServiceError('FORBIDDEN', 'Only the owner of a team deletes it')
      await database.transaction(async (transaction) => {
        await transaction('teams').where({ id }).delete()
        await transaction('team_members').where({ team: id }).delete()
      })
    },

    async payer(user, id) {
      await get(user, id)
      const owner = await ownerOf(id)
      const { plan, status } = (await users.byId(owner))!
      if (status !== 'active') throw new ServiceError('FORBIDDEN', 'x-team-id: the account of its owner is suspended')
      return { id, plan, chargeTo: [owner] }
    },

    async sees(owner, whose) {
      const { kind, id } = owner
      if (owns(owner, whose)) return true
      if (kind !== 'user' || !isTeam(whose)) return false
      return (await memberships().where({ team: whose, user_id: id }).first('role')) !== undefined
    },
  }
}

const notFound = () => new ServiceError('NOT_FOUND', 'There is no such team, or you are not a member of it')

const fromRow = ({ createdAt, ...row }: any): Team => ({ ...row, createdAt: Number(createdAt) })
