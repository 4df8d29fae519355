import type { Kernel } from '../../boot/kernel.ts'
import type { Owner } from '../../people/owner.ts'
import type { Context } from '../context.ts'
import { countedAddress, requireAccount } from './identity.ts'

/**
 * Returns the owner that a request acts as: with `x-team-id`, its owner for that team.
 *
 * @throws ServiceError UNAUTHORIZED for guests, NOT_FOUND for teams of others, FORBIDDEN when the team's owner is
 * suspended.
 */
export async function actingOwner({ teams, config }: Pick<Kernel, 'teams' | 'config'>, ctx: Context): Promise<Owner> {
  const { owner, origin } = ctx.state
  // Node joins repeated headers of this name to one text.
  const id = ctx.req.headers['x-team-id'] as string | undefined
  if (id === undefined) return owner
  return { ...owner, team: await teams.payer(requireAccount(ctx).id, id, countedAddress(config, origin)) }
}
