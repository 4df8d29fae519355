import type { Knex } from 'knex'
import type { Database } from '../database.ts'
import { isDuplicate } from '../duplicate.ts'

/** A row of the table `nodes`: a service that shares the database with others. */
export interface NodeRow {
  /** Rises with each registration. */
  number: number
  /** `node_…` */
  id: string
  host: string
  /** The release that runs on it. */
  version: string
  /** Digest of its signing secret. */
  secret: string
  /** Conversions that it runs at the same time. */
  light_workers: number
  heavy_workers: number
  /** Epoch milliseconds of the database's clock. */
  started_at: number
  /** When it last renewed its lease, by the same clock. */
  seen_at: number
}

/** Milliseconds after the last renewal for which a node counts as living. */
export const LEASE = 15_000

/** The time of the database in epoch milliseconds. Nodes may have different clocks. */
const NOW = "timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000"
const LIVES = `seen_at > ${NOW} - ${LEASE}`

const nodes = (database: Database) => database<NodeRow>('nodes')
const now = (database: Database) => database.raw(NOW) as never

/** Registers a node, whose lease begins. */
export async function registerNode(
  database: Database,
  row: Omit<NodeRow, 'number' | 'started_at' | 'seen_at'>,
): Promise<void> {
  await nodes(database).where({ id: row.id }).delete()
  try {
    await nodes(database).insert({ ...row, started_at: now(database), seen_at: now(database) })
  } catch (error) {
    // The answer to an earlier try was lost.
    if (!isDuplicate(error)) throw error
  }
}

/** Renews the lease of a node. Resolves to false if it has ended. */
export const renewNode = async (database: Database, id: string): Promise<boolean> =>
  (await nodes(database)
    .where({ id })
    .whereRaw(LIVES)
    .update({ seen_at: now(database) })) > 0

/** Removes a node that stops, and those that ended a day ago. */
export async function removeNode(database: Database, id: string): Promise<void> {
  await nodes(database).where({ id }).orWhereRaw(`seen_at < ${NOW} - 86400000`).delete()
}

/** A node whose lease has not ended. */
export interface LivingNode extends NodeRow {
  /** Milliseconds until its lease ends, if it does not renew it. */
  lease: number
}

/** Lists the living nodes in the order in which they registered. */
export async function listLivingNodes(database: Database): Promise<LivingNode[]> {
  const rows = await nodes(database)
    .whereRaw(LIVES)
    .orderBy('number')
    .select('*', database.raw<LivingNode>(`seen_at + ${LEASE} - ${NOW} as lease`))
  return rows.map((row) => ({ ...row, lease: Number(row.lease) }))
}

/** Restricts conversions to those whose node is not living, or that have none. */
export const withoutLivingNode = (database: Database) => (query: Knex.QueryBuilder) => {
  const living = nodes(database).select('id').whereRaw(LIVES)
  query.where((either: Knex.QueryBuilder) => either.whereNull('node').orWhereNotIn('node', living))
}
