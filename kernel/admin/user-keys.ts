import { audited } from '../boot/settings/audit.ts'
import { deleteKey, listKeysOf } from '../database/tables/api-keys.ts'
import type { User } from '../database/tables/users.ts'
import { printJson, printLine } from '../terminal.ts'
import { CommandError } from './command.ts'
import type { AdminContext } from './open-database.ts'

/** Lists the API keys of an account, or revokes one of them. Prints the keys that remain. */
export async function userKeys(
  { database, actor }: AdminContext,
  user: User,
  { revoke, json }: { revoke?: string | undefined; json: boolean },
): Promise<void> {
  if (revoke !== undefined) {
    const details = { key: revoke }
    await audited(database, { actor, action: 'user.revoke-key', subject: user.email, details }, async (transaction) => {
      if (await deleteKey(transaction, user.id, revoke)) return
      throw new CommandError(`--revoke: ${user.email} has no key ${revoke}; user keys lists all keys.`)
    })
  }
  const rows = await listKeysOf(database, user.id)
  const time = (at: number | null) => (at === null ? null : new Date(Number(at)).toISOString())
  const keys = rows.map(({ id, name, prefix, created_at, last_used_at, expires_at }) => ({
    id,
    name,
    prefix,
    createdAt: time(created_at),
    lastUsedAt: time(last_used_at),
    expiresAt: time(expires_at),
  }))
  if (json) printJson(JSON.stringify(keys, null, 2))
  else {
    const left = keys.length ? ` Keys that remain:` : ' No key remains.'
    if (revoke !== undefined) printLine(`Revoked ${revoke} of ${user.email}.${left}`)
    else if (!keys.length) printLine(`${user.email} has no keys.`)
  }
  if (!json)
    for (const key of keys) printLine([key.id, key.prefix, key.lastUsedAt ?? 'never used', key.name].join('  '))
}
