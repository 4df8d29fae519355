import type { Database } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import type { User, Users } from './users.ts'

/** Days after which an invitation expires. */
export const INVITATION_DAYS = 30

/** A row of the table `team_invitations`. Times are epoch milliseconds. */
export interface InvitationRow {
  /** `inv_…` */
  id: string
  team: string
  /** In lower case. */
  email: string
  /** The address as it was typed. */
  typed: string
  role: 'admin' | 'member'
  created_at: number
  expires_at: number
}

/** An invitation as the invited account sees it. */
export interface Invitation {
  id: string
  team: { id: string; name: string }
  role: 'admin' | 'member'
  /** Address of the team's owner. */
  invitedBy: string
  /** Epoch milliseconds. */
  createdAt: number
}

/** What an account does with the invitations to its address. Each throws ServiceError FORBIDDEN without a proven address. */
export interface Invitations {
  /** The newest ones, newest first, at most 100. */
  list(user: string): Promise<Invitation[]>
  /** Makes the account a member; resolves to the team's id. @throws ServiceError NOT_FOUND. */
  accept(user: string, id: string): Promise<string>
  /** @throws ServiceError NOT_FOUND. */
  decline(user: string, id: string): Promise<void>
  /** Removes at most `limit` that have expired; resolves to their number. */
  sweep(now: number, limit: number): Promise<number>
}

/** Invitations listed at one time. */
const PAGE = 100

/**
 * Invitations belong to an address, so that nobody learns from one whether there is an account.
 *
 * @param mails Whether the service sends mail. If it does, only who has proven an address may answer for it: anybody can
 *   register with any address.
 */
export function createInvitations({
  database,
  users,
  mails,
}: {
  database: Database
  users: Users
  mails: boolean
}): Invitations {
  const table = () => database<InvitationRow>('team_invitations')

  async function addressOf(id: string): Promise<string> {
    const user = (await users.byId(id))!
    requireProof(user, mails)
    return user.email
  }

  return {
    async list(user) {
      const rows = await database('team_invitations')
        .join('teams', 'teams.id', 'team_invitations.team')
        .join('users', 'users.id', 'teams.owner')
        .where('team_invitations.email', await addressOf(user))
        .andWhere('team_invitations.expires_at', '>', Date.now())
        .orderBy('team_invitations.id', 'desc')
        .limit(PAGE)
        .select('team_invitations.id', 'team', 'teams.name', 'role', { at: 'team_invitations.created_at' })
        .select({ owner: 'users.email' })
      return rows.map(({ id, team, name, role, owner, at }) => ({
        ...{ id, team: { id: team, name }, role, invitedBy: owner, createdAt: Number(at) },
      }))
    },

    async accept(user, id) {
      const email = await addressOf(user)
      const mine = () => table().where({ id, email }).andWhere('expires_at', '>', Date.now())
      const found = await mine().first('team')
      if (!found) throw notFound()
      const { team } = found
      await database.transaction(async (transaction) => {
        // First of all: the row's lock holds off who deletes the team, changes the role or revokes the invitation.
        const present = await transaction('teams').where({ id: team }).forUpdate().first('id')
        const row = await mine().transacting(transaction).first('role')
        if (!present || !row || !(await mine().transacting(transaction).delete())) throw notFound()
        const member = { team, user_id: user, role: row.role }
        await transaction('team_members').insert(member).onConflict(['team', 'user_id']).ignore()
      })
      return team
    },

    async decline(user, id) {
      const email = await addressOf(user)
      if (!(await table().where({ id, email }).delete())) throw notFound()
    },

    async sweep(now, limit) {
      const expired = await table().where('expires_at', '<=', now).orderBy('expires_at').limit(limit).select('id')
      for (const { id } of expired) await table().where({ id }).delete()
      return expired.length
    },
  }
}

/** @param mails Whether the service sends mail; without it no address can be proven. @throws ServiceError FORBIDDEN. */
export function requireProof({ verified }: Pick<User, 'verified'>, mails: boolean): void {
  if (verified || !mails) return
  throw new ServiceError(
    'FORBIDDEN',
    'Invitations need a proven address; prove yours by a password reset: POST /api/auth/password-reset mails a link',
  )
}

const notFound = () =>
  new ServiceError('NOT_FOUND', 'There is no such invitation; GET /api/teams/invitations lists those to your address')
