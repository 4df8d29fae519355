import type { Database } from '../database/database.ts'
import type { Seal } from './seal.ts'

/** A provider's permission or credential, kept for its owner. */
export interface Connection {
  owner: string
  provider: string
  /** Tokens or credentials; encrypted at rest. */
  secret: object
  /** Epoch milliseconds; tells a connection from a later one of the same owner and provider. */
  createdAt: number
}

export interface Connections {
  /** Keeps it in the place of the one that was there. */
  put(connection: Connection): Promise<void>
  /** Undefined also when it was sealed with another secret of the service. */
  find(owner: string, provider: string): Promise<Connection | undefined>
  /** Changes the secret of this very connection, if it is still there. */
  update(connection: Connection): Promise<void>
  /** Forgets this very connection. */
  remove(connection: Pick<Connection, 'owner' | 'provider' | 'createdAt'>): Promise<void>
  /** Names of an owner's providers. */
  providersOf(owner: string): Promise<string[]>
}

/** At most one connection for each owner and provider. */
export function createConnections(database: Database, seal: Seal): Connections {
  const placeOf = ({ owner, provider }: Pick<Connection, 'owner' | 'provider'>) => `${owner} ${provider}`
  const close = (connection: Connection) => seal.close(JSON.stringify(connection.secret), placeOf(connection))
  const thisOne = ({ owner, provider, createdAt }: Omit<Connection, 'secret'>) =>
    database('connections').where({ owner, provider, created_at: createdAt })

  return {
    async put(connection) {
      const { owner, provider, createdAt } = connection
      await database('connections')
        .insert({ owner, provider, secret: close(connection), created_at: createdAt })
        .onConflict(['owner', 'provider'])
        .merge()
    },
    async find(owner, provider) {
      const row = await database('connections').where({ owner, provider }).first()
      const text = row && seal.open(row.secret, placeOf(row))
      return text && { owner, provider, secret: JSON.parse(text), createdAt: Number(row.created_at) }
    },
    async update(connection) {
      await thisOne(connection).update({ secret: close(connection) })
    },
    async remove(connection) {
      await thisOne(connection).delete()
    },
    async providersOf(owner) {
      return database('connections').where({ owner }).pluck('provider')
    },
  }
}
