import type { Database } from '../database.ts'

/** A row of the table `identities`: a user's identity at a provider (OpenID Connect Core §2, `iss` and `sub`). */
interface IdentityRow {
  issuer: string
  subject: string
  /** The user of the account. */
  user_id: string
  /** Epoch milliseconds. */
  created_at: number
}

type Identity = Pick<IdentityRow, 'issuer' | 'subject'>

/** Returns the id of the user with this identity. */
export async function findUserOfIdentity(
  database: Database,
  { issuer, subject }: Identity,
): Promise<string | undefined> {
  const row = await database<IdentityRow>('identities').where({ issuer, subject }).first('user_id')
  return row?.user_id
}

/** If the identity already has an account, rejects with an error that `isDuplicate` recognises. */
export async function insertIdentity(database: Database, row: IdentityRow): Promise<void> {
  await database<IdentityRow>('identities').insert(row)
}

export async function deleteIdentitiesOf(database: Database, user_id: string): Promise<void> {
  await database<IdentityRow>('identities').where({ user_id }).delete()
}
