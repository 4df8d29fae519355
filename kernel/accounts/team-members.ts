import type { Knex } from 'knex'
import type { Database } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { ServiceError } from '../errors.ts'
import { canonicalEmail } from './email.ts'
import { openDay } from './invitation-bounds.ts'
import { INVITATION_DAYS, type InvitationRow, requireProof } from './invitations.ts'
import type { User } from './users.ts'

/** The owner made the team and pays; admins change it; members use it. */
export type Role = 'owner' | 'admin' | 'member'

/** A change of somebody's membership; `none` ends it, or the invitation. Who is no member is invited. */
export interface MemberChange {
  email: string
  role: 'admin' | 'member' | 'none'
}

/** Who is of a team, or is invited: of those it is shown what was typed and nothing else. */
export type Member =
  | { email: string; name: string | null; role: Role; status: 'active' }
  | { email: string; role: Role; status: 'invited' }

/** Members and invitations of one team. */
const MOST = 100

const LIFETIME = INVITATION_DAYS * 86_400_000

/** Changes by their address; of two for one address, the last. */
export const byAddress = (changes: readonly MemberChange[]): ReadonlyMap<string, MemberChange> =>
  new Map(changes.map((change) => [canonicalEmail(change.email), change]))

const active = (database: Knex, team: string) =>
  database('team_members')
    .join('users', 'users.id', 'team_members.user_id')
    .where({ team })
    .orderBy('users.email')
    .limit(MOST)
    .select('users.email', 'users.name', 'team_members.role', 'users.id')

const invitations = (database: Knex, team: string) => database<InvitationRow>('team_invitations').where({ team })

/** Members by their address, then the invited. */
export async function listMembers(database: Database, team: string): Promise<Member[]> {
  const invited = await invitations(database, team).andWhere('expires_at', '>', Date.now()).orderBy('email').limit(MOST)
  return [
    ...(await active(database, team)).map(({ email, name, role }) => ({
      email,
      name,
      role,
      status: 'active' as const,
    })),
    ...invited.map(({ typed, role }) => ({ email: typed, role, status: 'invited' as const })),
  ]
}

/**
 * Prepares changes of a team's members; gives what makes them in a transaction that holds the team's row, and resolves
 * to the addresses that are newly invited. No account is looked up by an address: neither the answer nor its time tells
 * whether there is one.
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

  /** @throws ServiceError BAD_REQUEST for too many, FORBIDDEN without a proven address, QUOTA_EXCEEDED. */
  return async (transaction: Knex, team: string): Promise<string[]> => {
    const now = Date.now()
    await invitations(transaction, team).andWhere('expires_at', '<=', now).delete()
    const members = new Map((await active(transaction, team)).map(({ email, id }) => [email as string, id as string]))
    const invited = new Set<string>(await invitations(transaction, team).pluck('email'))
    const fresh: InvitationRow[] = []
    for (const [email, { email: typed, role }] of changes) {
      const user_id = members.get(email)
      const member = transaction('team_members').where({ team, user_id: user_id ?? '' })
      if (role === 'none' && user_id) await member.delete()
      else if (role === 'none') await invitations(transaction, team).andWhere({ email }).delete()
      else if (user_id) await member.update({ role })
      else if (invited.has(email)) await invitations(transaction, team).andWhere({ email }).update({ typed, role })
      else fresh.push({ id: newId('inv_'), team, email, typed, role, created_at: now, expires_at: now + LIFETIME })
    }
    if (!fresh.length) return []
    requireProof(inviter, mails)
    let number = fresh.length
    for (const table of ['team_members', 'team_invitations']) {
      const [row] = await transaction(table).where({ team }).count({ number: '*' })
      number += Number(row!.number)
    }
    if (number > MOST) {
      throw new ServiceError('BAD_REQUEST', `members must be at most ${MOST} of one team, the invited ones included`)
    }
    await charge(transaction, fresh.length)
    await transaction('team_invitations').insert(fresh)
    return fresh.map(({ email }) => email)
  }
}
