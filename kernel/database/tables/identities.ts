import type { Database } from '../database.ts'

/** A row of the table `identities`: who somebody is at a provider (OpenID Connect Core §2, `iss` and `sub`). */
export interface IdentityRow {
  issuer: string
  subject: string
  /** Whose account it opens. */
  user_id: string
  /** Epoch milliseconds. */
  created_at: number
}

type Identity = Pick<IdentityRow, 'issuer' | 'subject'>

/** The id of the user whose identity it is. */
export async function findUserOfIdentity(
  database: Database,
  { issuer, subject }: Identity,
): Promise<string | undefined> {
  const row = await database<IdentityRow>('identities').where({ issuer, subject }).first('user_id')
  return row?.user_id
}

/** Rejects with an error that `isDuplicate` knows, when the identity has an account. */
export async function insertIdentity(database: Database, row: IdentityRow): Promise<void> {
  await database<IdentityRow>('identities').insert(row)
}

export async function deleteIdentitiesOf(database: Database, user_id: string): Promise<void> {
  await database<IdentityRow>('identities').where({ user_id }).delete()
}
