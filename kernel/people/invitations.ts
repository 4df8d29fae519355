import type { Database } from '../database/database.ts'
import { deleteInvitation, findInvitation, listInvitationsTo } from '../database/tables/team-invitations.ts'
import { insertTeamMember } from '../database/tables/team-members.ts'
import { lockTeam } from '../database/tables/teams.ts'
import type { User } from '../database/tables/users.ts'
import { transact } from '../database/transact.ts'
import { ServiceError } from '../errors.ts'
import type { Users } from './users.ts'

/** Days after which an invitation expires. */
export const INVITATION_DAYS = 30

/** An invitation, as the invited account sees it. */
export interface Invitation {
  id: string
  team: { id: string; name: string }
  role: 'admin' | 'member'
  /** Address of the team's owner. */
  invitedBy: string
  /** Epoch milliseconds. */
  createdAt: number
}

/**
 * What an account can do with invitations to its address. Each function throws FORBIDDEN without a confirmed address.
 */
export type Invitations = ReturnType<typeof createInvitations>

/** Maximum number of invitations in a list. */
const PAGE = 100

/**
 * Invitations belong to an address, so that nobody learns from them whether an account exists.
 *
 * @param mails Whether the service sends mail. If it does, only an account with a confirmed address may answer, because
 *   anybody can register with any address.
 */
export function createInvitations(database: Database, users: Users, mails: boolean) {
  async function addressOf(id: string): Promise<string> {
    const user = await users.existing(id)
    requireProof(user, mails)
    return user.email
  }

  return {
    /** Returns the newest 100, newest first. */
    async list(user: string) {
      const rows = await listInvitationsTo(database, await addressOf(user), { now: Date.now(), limit: PAGE })
      return rows.map(({ id, team, name, role, owner, created_at }) => ({
        id,
        team: { id: team, name },
        role,
        invitedBy: owner,
        createdAt: created_at,
      }))
    },

    /** Makes the account a member; resolves to the team's id. @throws ServiceError NOT_FOUND. */
    async accept(user: string, id: string) {
      const which = { id, email: await addressOf(user) }
      const found = await findInvitation(database, which, Date.now())
      if (!found) throw notFound()
      const { team } = found
      await transact(database, async (transaction) => {
        // First, to lock the row, so that changes of the team, the role or the invitation wait.
        const present = await lockTeam(transaction, team)
        const invitation = await findInvitation(transaction, which, Date.now())
        if (!present || !invitation || !(await deleteInvitation(transaction, which))) throw notFound()
        await insertTeamMember(transaction, { team, user_id: user, role: invitation.role })
      })
      return team
    },

    /** @throws ServiceError NOT_FOUND. */
    async decline(user: string, id: string) {
      if (!(await deleteInvitation(database, { id, email: await addressOf(user) }))) throw notFound()
    },
  }
}

/**
 * @param mails Whether the service sends mail; otherwise no address can be confirmed.
 * @throws ServiceError FORBIDDEN.
 */
export function requireProof({ verified }: Pick<User, 'verified'>, mails: boolean): void {
  if (verified || !mails) return
  throw new ServiceError(
    'FORBIDDEN',
    'Invitations need a verified email address; to verify yours, reset the password with POST /api/auth/password-reset',
  )
}

const notFound = () =>
  new ServiceError('NOT_FOUND', 'There is no such invitation; GET /api/teams/invitations lists those to your address')
