import type { Kernel } from '../../boot/kernel.ts'
import { ServiceError } from '../../errors.ts'
import { requireActive } from '../../people/credentials.ts'
import type { Context } from '../context.ts'
import type { ObjectSchema } from './schema.ts'

/** The query of a download. */
export const downloadQuery = {
  type: 'object',
  properties: {
    token: { type: 'string', description: 'From `outputUrl`; required without a credential.' },
  },
} as const satisfies ObjectSchema

/**
 * Returns the item if the client may download it: an account by its credential, anybody by a token for this very item.
 *
 * @param item What the token names by its key. Undefined: there is none.
 * @param missing Makes the error for an item that is not there, or not for this account.
 * @throws ServiceError UNAUTHORIZED, what `missing` makes, FORBIDDEN for the link of a suspended account.
 */
export async function requirePermit<Item extends { owner: string; key: string }>(
  { accounts, teams, tokens }: Kernel,
  ctx: Context,
  item: Item | undefined,
  missing: () => ServiceError,
): Promise<Item> {
  const { owner } = ctx.state
  if (owner.kind === 'user') {
    if (!item || !(await teams.sees(owner, item.owner))) throw missing()
    return item
  }
  const token = new URLSearchParams(ctx.querystring).get('token')
  const permit = token ? await tokens.verify(token) : undefined
  if (!permit || (item && (permit.owner !== item.owner || permit.key !== item.key))) {
    throw new ServiceError(
      'UNAUTHORIZED',
      'The download needs a credential of the owner or a valid token; poll the conversion to get a new outputUrl',
    )
  }
  const user = permit.owner.startsWith('user_') ? await accounts.users.byId(permit.owner) : undefined
  if (user) requireActive(user)
  if (!item) throw missing()
  return item
}
