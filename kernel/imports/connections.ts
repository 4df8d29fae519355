import type { Database } from '../database/database.ts'
import {
  deleteConnection,
  findConnection,
  listConnectedProviders,
  listConnections,
  putConnection,
  replaceSecret,
  updateConnection,
} from '../database/tables/connections.ts'
import type { Seal } from '../people/seal.ts'

/** A permission or credential for a provider, stored for its owner. */
export interface Connection {
  owner: string
  provider: string
  /** Tokens or credentials; encrypted at rest. */
  secret: object
  /** Epoch milliseconds; distinguishes a connection from a later one of the same owner and provider. */
  createdAt: number
}

export type Connections = ReturnType<typeof createConnections>

/** Stores at most one connection for each owner and provider. */
export function createConnections(database: Database, seal: Seal) {
  const placeOf = ({ owner, provider }: Pick<Connection, 'owner' | 'provider'>) => `${owner} ${provider}`
  const toRow = (connection: Connection) => ({
    owner: connection.owner,
    provider: connection.provider,
    created_at: connection.createdAt,
    secret: seal.close(JSON.stringify(connection.secret), placeOf(connection)),
  })

  return {
    /** Stores a connection; replaces the existing one. */
    put: (connection: Connection) => putConnection(database, toRow(connection)),

    /** Returns undefined also if the connection was sealed with another secret of the service. */
    async find(owner: string, provider: string): Promise<Connection | undefined> {
      const row = await findConnection(database, owner, provider)
      const text = row && seal.open(row.secret, placeOf(row))
      return row && text ? { owner, provider, secret: JSON.parse(text), createdAt: row.created_at } : undefined
    },

    /** Updates the secret of exactly this connection, if it still exists. */
    update: (connection: Connection) => updateConnection(database, toRow(connection)),

    /** Deletes exactly this connection, not one that replaced it. */
    remove: ({ owner, provider, createdAt }: Pick<Connection, 'owner' | 'provider' | 'createdAt'>) =>
      deleteConnection(database, { owner, provider, created_at: createdAt }),

    /** Returns the names of the providers that an owner has connected. */
    providersOf: (owner: string) => listConnectedProviders(database, owner),

    /** Seals all connections again that a previous secret of the service sealed. */
    async reseal() {
      for (const row of await listConnections(database)) {
        const secret = seal.renew(row.secret, placeOf(row))
        if (secret) await replaceSecret(database, row, secret)
      }
    },
  }
}
