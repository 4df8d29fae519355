import type { ApiKey } from '../accounts/keys.ts'
import type { User } from '../accounts/users.ts'
import { audited } from '../settings/audit.ts'
import { CommandError } from './command.ts'
import type { Operation } from './operation.ts'

/** Lists the API keys of an account, or revokes one of them. Prints what is left. */
export async function userKeys(
  { database, actor }: Operation,
  user: User,
  { revoke, json }: { revoke?: string | undefined; json: boolean },
): Promise<void> {
  if (revoke !== undefined) {
    const details = { key: revoke }
    await audited(database, { actor, action: 'user.revoke-key', subject: user.email, details }, async (transaction) => {
      if (await transaction('api_keys').where({ id: revoke, user_id: user.id }).delete()) return
      throw new CommandError(`--revoke: ${user.email} has no key ${revoke}; user keys lists them.`)
    })
  }
  const rows = await database<ApiKey>('api_keys').where({ user_id: user.id }).orderBy('id')
  const time = (at: number | null) => (at === null ? null : new Date(Number(at)).toISOString())
  const keys = rows.map(({ id, name, prefix, created_at, last_used_at, expires_at }) => ({
    ...{ id, name, prefix, createdAt: time(created_at), lastUsedAt: time(last_used_at), expiresAt: time(expires_at) },
  }))
  if (json) console.log(JSON.stringify(keys, null, 2))
  else for (const key of keys) console.log([key.id, key.prefix, key.lastUsedAt ?? 'never used', key.name].join('  '))
}
