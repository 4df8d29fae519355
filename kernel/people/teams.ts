import type { Database } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { deleteInvitationsOf } from '../database/tables/team-invitations.ts'
import {
  deleteTeamMembers,
  findMembership,
  insertTeamMember,
  isMember,
  listMemberships,
  type Membership,
  type Role,
} from '../database/tables/team-members.ts'
import { countTeamsOf, deleteTeams, findTeam, insertTeam, lockTeam, renameTeam } from '../database/tables/teams.ts'
import { deleteWebhooksOf } from '../database/tables/webhooks.ts'
import { transact } from '../database/transact.ts'
import { ServiceError } from '../errors.ts'
import type { InvitationMail } from './invitation-mail.ts'
import { accountOwner, type Owner, owns } from './owner.ts'
import { byAddress, listMembers, type MemberChange, prepareChanges } from './team-members.ts'
import type { Users } from './users.ts'

/** A team as one of its members sees it. */
export interface Team {
  id: string
  name: string
  /** Role of this member. */
  role: Role
  /** Epoch milliseconds. */
  createdAt: number
}

export type Teams = ReturnType<typeof createTeams>

/** Maximum number of teams that one account can create. */
const MAX_TEAMS = 20

const isTeam = (id: string) => /^team_[0-9a-f]{32}$/.test(id)

/** Teams: users who can see each other's conversions. The owner of the team pays. */
export function createTeams({
  database,
  users,
  invitationMail,
}: {
  database: Database
  users: Users
  /** Undefined: no mail is sent. */
  invitationMail?: InvitationMail | undefined
}) {
  const mails = invitationMail !== undefined
  /** @throws ServiceError NOT_FOUND, also for teams of others. */
  async function get(user: string, id: string): Promise<Team> {
    const membership = isTeam(id) ? await findMembership(database, { team: id, user_id: user }) : undefined
    if (!membership) throw notFound()
    return toTeam(membership)
  }

  /** Returns the user who pays for a team. @throws ServiceError NOT_FOUND if the user was deleted meanwhile. */
  async function ownerOf(id: string): Promise<string> {
    const team = await findTeam(database, id)
    if (!team) throw notFound()
    return team.owner
  }

  return {
    get,

    /** @throws ServiceError BAD_REQUEST for too many teams or members; FORBIDDEN, QUOTA_EXCEEDED for invitations. */
    async create(user: string, { name, members = [] }: { name: string; members?: readonly MemberChange[] }) {
      if ((await countTeamsOf(database, user)) >= MAX_TEAMS) {
        throw new ServiceError(
          'BAD_REQUEST',
          `You have ${MAX_TEAMS} teams, as many as an account can have; delete one first`,
        )
      }
      const inviter = await users.existing(user)
      const changes = new Map(byAddress(members))
      // The user who creates the team is its owner, whatever the request says.
      changes.delete(inviter.email)
      const apply = await prepareChanges(database, changes, { inviter, mails })
      const team: Team = { id: newId('team_'), name, role: 'owner', createdAt: Date.now() }
      const invited = await transact(database, async (transaction) => {
        await insertTeam(transaction, { id: team.id, name, owner: user, created_at: team.createdAt })
        await insertTeamMember(transaction, { team: team.id, user_id: user, role: 'owner' })
        return apply(transaction, team.id)
      })
      invitationMail?.send(invited, inviter)
      return team
    },

    /** Lists a user's teams, newest first. @param page `before`: only teams older than this id. */
    list: async (user: string, page: { limit: number; before?: string }) =>
      (await listMemberships(database, user, page)).map(toTeam),

    /** Lists members by address, then invited addresses. */
    members: (id: string) => listMembers(database, id),

    /** @throws ServiceError NOT_FOUND, FORBIDDEN, BAD_REQUEST, QUOTA_EXCEEDED. */
    async change(
      user: string,
      id: string,
      { name, members = [] }: { name?: string; members?: readonly MemberChange[] },
    ) {
      await get(user, id)
      const inviter = await users.existing(user)
      const owner = await users.existing(await ownerOf(id))
      const changes = byAddress(members)
      // Every member may leave.
      const others = [...changes].filter(([address, { role }]) => address !== inviter.email || role !== 'none')
      const apply = await prepareChanges(database, changes, { inviter, mails })
      const { team, invited } = await transact(database, async (transaction) => {
        // First, to lock the row, so that only one change at a time counts the members, and a lost role changes
        // nothing.
        const row = await lockTeam(transaction, id)
        const membership = await findMembership(transaction, { team: id, user_id: user })
        if (!row || !membership) throw notFound()
        if (membership.role === 'member' && (name !== undefined || others.length)) {
          throw new ServiceError('FORBIDDEN', 'Only the owner and the admins of a team can change it')
        }
        if (changes.has(owner.email)) {
          throw new ServiceError(
            'BAD_REQUEST',
            'members must not contain the owner, who stays until the team is deleted',
          )
        }
        if (name !== undefined) await renameTeam(transaction, id, name)
        const team = toTeam({ ...membership, name: name ?? row.name })
        return { team, invited: await apply(transaction, id) }
      })
      invitationMail?.send(invited, owner)
      return team
    },

    /** @throws ServiceError NOT_FOUND, FORBIDDEN. */
    async remove(user: string, id: string) {
      const { role } = await get(user, id)
      if (role !== 'owner') throw new ServiceError('FORBIDDEN', 'Only the owner of a team can delete it')
      await transact(database, async (transaction) => {
        await deleteWebhooksOf(transaction, id)
        await deleteTeams(transaction, [id])
        await deleteTeamMembers(transaction, [id])
        await deleteInvitationsOf(transaction, [id])
      })
    },

    /**
     * Returns who pays for conversions that a member starts for the team. @param address Where the request comes from.
     * Undefined: an unverified owner counts alone.
     * @throws ServiceError NOT_FOUND, FORBIDDEN.
     */
    async payer(user: string, id: string, address?: string) {
      await get(user, id)
      const owner = await users.existing(await ownerOf(id))
      if (owner.status !== 'active')
        throw new ServiceError('FORBIDDEN', 'x-team-id: the account of the owner of this team is suspended')
      const { plan, chargeTo, client } = accountOwner(owner, address)
      return { id, plan, chargeTo, client }
    },

    /**
     * Whether this owner may see a conversion or batch of the owner `whose`: as that owner, or as a member of that
     * team.
     */
    async sees(owner: Owner, whose: string) {
      const { kind, id } = owner
      if (owns(owner, whose)) return true
      if (kind !== 'user' || !isTeam(whose)) return false
      return isMember(database, whose, id)
    },
  }
}

const notFound = () => new ServiceError('NOT_FOUND', 'There is no such team, or you are not a member of it')

const toTeam = ({ created_at, ...team }: Membership): Team => ({ ...team, createdAt: created_at })
