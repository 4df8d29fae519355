import type { Database } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import {
  countInvitations,
  deleteInvitationOf,
  deleteInvitationsOf,
  insertInvitations,
  listInvitationsOf,
  listInvited,
  type TeamInvitationRow,
  updateInvitation,
} from '../database/tables/team-invitations.ts'
import {
  countTeamMembers,
  deleteTeamMember,
  listTeamMembers,
  type Role,
  updateTeamMember,
} from '../database/tables/team-members.ts'
import type { User } from '../database/tables/users.ts'
import { ServiceError } from '../errors.ts'
import { openDay } from './daily-bounds.ts'
import { INVITATION_DAYS, requireProof } from './invitations.ts'
import { canonicalEmail } from './users.ts'

/** A change of a membership. `none` ends it or revokes the invitation. An address that is not a member is invited. */
export interface MemberChange {
  email: string
  role: 'admin' | 'member' | 'none'
}

/** A member of a team, or an invited address. For an invited address, only what the team typed is shown. */
export type TeamMember =
  | { email: string; name: string | null; role: Role; status: 'active' }
  | { email: string; role: Role; status: 'invited' }

/** Maximum number of members and invitations of one team. */
const MAX_MEMBERS = 100

const LIFETIME = INVITATION_DAYS * 86_400_000

/** Changes by address. If two changes name one address, the last one counts. */
export const byAddress = (changes: readonly MemberChange[]): ReadonlyMap<string, MemberChange> =>
  new Map(changes.map((change) => [canonicalEmail(change.email), change]))

/** Lists members by address, then invited addresses. */
export async function listMembers(database: Database, team: string): Promise<TeamMember[]> {
  const active = await listTeamMembers(database, team, MAX_MEMBERS)
  const invited = await listInvitationsOf(database, team, { now: Date.now(), limit: MAX_MEMBERS })
  return [
    ...active.map(({ email, name, role }) => ({ email, name, role, status: 'active' as const })),
    ...invited.map(({ typed, role }) => ({ email: typed, role, status: 'invited' as const })),
  ]
}

/**
 * Prepares changes of a team's members. Resolves to a function that makes them, in a transaction that has locked the
 * team's row; it resolves to the newly invited addresses. Never looks up an account by address, so neither the answer
 * nor its time reveals whether the account exists.
 *
 * @param mails Whether the service sends mail.
 */
export async function prepareChanges(
  database: Database,
  changes: ReadonlyMap<string, MemberChange>,
  { inviter, mails }: { inviter: User; mails: boolean },
) {
  if (!changes.size) return async () => []
  const charge = await openDay(database, inviter.id)

  /** @throws ServiceError BAD_REQUEST for too many members, FORBIDDEN without a confirmed address, QUOTA_EXCEEDED. */
  return async (transaction: Database, team: string): Promise<string[]> => {
    const now = Date.now()
    await deleteInvitationsOf(transaction, [team], now)
    const members = new Map((await listTeamMembers(transaction, team, MAX_MEMBERS)).map(({ email, id }) => [email, id]))
    const invited = new Set(await listInvited(transaction, team))
    const fresh: TeamInvitationRow[] = []
    for (const [email, { email: typed, role }] of changes) {
      const user_id = members.get(email)
      if (role === 'none' && user_id) await deleteTeamMember(transaction, { team, user_id })
      else if (role === 'none') await deleteInvitationOf(transaction, team, email)
      else if (user_id) await updateTeamMember(transaction, { team, user_id, role })
      else if (invited.has(email)) await updateInvitation(transaction, { team, email, typed, role })
      else fresh.push({ id: newId('inv_'), team, email, typed, role, created_at: now, expires_at: now + LIFETIME })
    }
    if (!fresh.length) return []
    requireProof(inviter, mails)
    const present = (await countTeamMembers(transaction, team)) + (await countInvitations(transaction, team))
    if (present + fresh.length > MAX_MEMBERS) {
      throw new ServiceError(
        'BAD_REQUEST',
        `members: a team has at most ${MAX_MEMBERS} members, including invited people`,
      )
    }
    await charge(transaction, fresh.length)
    await insertInvitations(transaction, fresh)
    return fresh.map(({ email }) => email)
  }
}
