import type { Database } from '../database.ts'
import { countRows } from '../rows.ts'

/** A row of the table `connections`: one for each owner and provider. */
interface ConnectionRow {
  owner: string
  /** Such as `google-drive`. */
  provider: string
  /** Tokens or credentials, encrypted with the service's secret. */
  secret: string
  /** Epoch milliseconds. Distinguishes a connection from later ones of the same owner and provider. */
  created_at: number
}

type Which = Pick<ConnectionRow, 'owner' | 'provider' | 'created_at'>

const connections = (database: Database) => database<ConnectionRow>('connections')

/** Stores a connection, and replaces an earlier one. */
export async function putConnection(database: Database, row: ConnectionRow): Promise<void> {
  await connections(database).insert(row).onConflict(['owner', 'provider']).merge()
}

export const findConnection = (
  database: Database,
  owner: string,
  provider: string,
): Promise<ConnectionRow | undefined> => connections(database).where({ owner, provider }).first()

/** Returns the names of the providers that an owner has connected. */
export const listConnectedProviders = (database: Database, owner: string): Promise<string[]> =>
  connections(database).where({ owner }).pluck('provider')

export const countConnections = (database: Database, owner: string): Promise<number> =>
  countRows(connections(database).where({ owner }))

/** Changes the secret of exactly this connection, if it exists. */
export async function updateConnection(database: Database, { secret, ...which }: ConnectionRow): Promise<void> {
  await connections(database).where(which).update({ secret })
}

/** Changes the secret of a connection that has not changed since it was read. */
export async function replaceSecret(database: Database, read: ConnectionRow, secret: string): Promise<void> {
  const { owner, provider } = read
  await connections(database).where({ owner, provider, secret: read.secret }).update({ secret })
}

/** Lists the connections of all owners. */
export const listConnections = (database: Database): Promise<ConnectionRow[]> => connections(database).select('*')

export async function deleteConnection(database: Database, { owner, provider, created_at }: Which): Promise<void> {
  await connections(database).where({ owner, provider, created_at }).delete()
}

export async function deleteConnectionsOf(database: Database, owner: string): Promise<void> {
  await connections(database).where({ owner }).delete()
}
