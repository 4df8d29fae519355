import type { Knex } from 'knex'
import type { Database } from '../database.ts'
import { isDuplicate } from '../errors.ts'
import { NOW } from '../server.ts'

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
  /** `all`, `api` or `worker`. */
  role: string
  /** Conversions that it runs at the same time. */
  light_workers: number
  heavy_workers: number
  /** Digest of what it can convert; null: nothing, or it does not know yet. */
  abilities_digest: string | null
  /** Epoch milliseconds of the database's clock. */
  started_at: number
  /** When it last renewed its lease, by the same clock. */
  seen_at: number
}

/** Numbers of light and heavy conversions. */
export interface KindCounts {
  light: number
  heavy: number
}

/** Living nodes that can convert the same with the same engines. */
export interface NodeGroup {
  name: string
  /** Number of nodes. */
  nodes: number
  /** Jobs of each kind that they run at the same time. */
  workers: KindCounts
}

/** Milliseconds after the last renewal for which a node counts as living. */
export const LEASE = 15_000

/**
 * Milliseconds after the last renewal for which clients may still ask for what a node could convert: it may be
 * restarting, or under repair.
 */
export const GRACE = 1_800_000

const LIVES = `seen_at > ${NOW} - ${LEASE}`

const nodes = (database: Database) => database<NodeRow & { abilities: string | null }>('nodes')
const now = (database: Database) => database.raw(NOW) as never

/** What a node can convert, in the words of nodes, and the digest of these words. */
export interface ReportRow {
  abilities: string | null
  abilities_digest: string | null
}

/** Registers a node, whose lease begins. */
export async function registerNode(
  database: Database,
  row: Omit<NodeRow, 'number' | 'started_at' | 'seen_at'> & ReportRow,
): Promise<void> {
  try {
    // In one step: clients may ask for what the node could convert before its lease ended.
    await database.transaction(async (transaction) => {
      await nodes(transaction).where({ id: row.id }).delete()
      await nodes(transaction).insert({ ...row, started_at: now(database), seen_at: now(database) })
    })
  } catch (error) {
    // The answer to an earlier try was lost.
    if (!isDuplicate(error)) throw error
  }
}

/** Renews the lease of a node. Resolves to false if it had ended. */
export const renewNode = async (database: Database, id: string): Promise<boolean> =>
  (await nodes(database)
    .where({ id })
    .whereRaw(LIVES)
    .update({ seen_at: now(database) })) > 0

/** Records what a node can convert. */
export async function reportNode(database: Database, id: string, report: ReportRow): Promise<void> {
  await nodes(database).where({ id }).update(report)
}

/** Ends the lease of a node that stops, and removes those that ended a day ago. */
export async function retireNode(database: Database, id: string): Promise<void> {
  await nodes(database)
    .where({ id })
    .whereRaw(LIVES)
    .update({ seen_at: database.raw(`${NOW} - ${LEASE}`) as never })
  await nodes(database).whereRaw(`seen_at < ${NOW} - 86400000`).delete()
}

/** Lists the names of these nodes, living or not. */
export const listHosts = (
  database: Database,
  ids: readonly (string | null)[],
): Promise<Pick<NodeRow, 'id' | 'host'>[]> => nodes(database).whereIn('id', ids).select('id', 'host')

/** A node and its lease. */
export interface LivingNode extends NodeRow {
  /** Milliseconds until its lease ends, if it does not renew it; 0 or less: it has ended. */
  lease: number
  /** Milliseconds since it registered. */
  age: number
}

/** Columns that are short enough to be read every few seconds. */
const FACTS = [
  'number',
  'id',
  'host',
  'version',
  'secret',
  'role',
  'light_workers',
  'heavy_workers',
  'abilities_digest',
  'started_at',
  'seen_at',
] as const

/** Lists the nodes that live, or lived within the grace, in the order in which they registered. */
export async function listRecentNodes(database: Database): Promise<LivingNode[]> {
  const spans = database.raw(`seen_at + ${LEASE} - ${NOW} as lease, ${NOW} - started_at as age`)
  const recent = nodes(database).whereRaw(`seen_at > ${NOW} - ${GRACE}`).orderBy('number')
  const rows: LivingNode[] = await recent.select(...FACTS, spans as never)
  return rows.map((row) => ({ ...row, lease: Number(row.lease), age: Number(row.age) }))
}

/** Lists the living nodes in the order in which they registered. */
export const listLivingNodes = async (database: Database): Promise<LivingNode[]> =>
  (await listRecentNodes(database)).filter(({ lease }) => lease > 0)

/** Reads what nodes reported under these digests. */
export async function readReports(database: Database, digests: readonly string[]): Promise<Map<string, string>> {
  const rows = await nodes(database).whereIn('abilities_digest', digests).distinct('abilities_digest', 'abilities')
  // biome-ignore lint/style/noNonNullAssertion: a row has both or neither, and these have a digest.
  return new Map(rows.map((row) => [row.abilities_digest!, row.abilities!]))
}

/** Restricts conversions to those whose node is not living, or that have none. */
export const withoutLivingNode = (database: Database) => (query: Knex.QueryBuilder) => {
  const living = nodes(database).select('id').whereRaw(LIVES)
  query.where((either: Knex.QueryBuilder) => either.whereNull('node').orWhereNotIn('node', living))
}
