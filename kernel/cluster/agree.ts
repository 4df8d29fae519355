import { createHmac } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { readSchema, type SchemaState } from '../database/schema.ts'
import { type LivingNode, listLivingNodes, type NodeRow } from '../database/tables/nodes.ts'
import { StartError } from '../errors.ts'

/** Digest by which nodes compare their secrets. */
export const secretDigest = (secret: string): string =>
  createHmac('sha256', secret).update('athanor:nodes').digest('hex')

/** Lists living nodes, also of a database without a schema. `pending`: migrations that it lacks. */
export async function livingNodes(
  database: Database,
  schema?: SchemaState,
): Promise<{ nodes: LivingNode[]; pending: readonly string[] }> {
  const { applied, pending } = schema ?? (await readSchema(database))
  return { nodes: applied.length ? await listLivingNodes(database) : [], pending }
}

/** @throws StartError if nodes share the database: a service without Redis would run their conversions again. */
export async function requireAlone(database: Database, schema: SchemaState): Promise<void> {
  const { nodes } = await livingNodes(database, schema)
  if (!nodes.length) return
  throw new StartError(
    `DATABASE_URL: this database is in use by ${named(nodes)}. Stop ${them(nodes)} first (a killed node counts ` +
      'for 15 seconds), or set REDIS_URL as there.',
  )
}

/** @throws StartError if this service cannot work together with the living nodes. */
export async function requireAgreement(database: Database, schema: SchemaState, secret: string): Promise<void> {
  const { nodes, pending } = await livingNodes(database, schema)
  if (nodes.length && pending.length) {
    throw new StartError(
      `DATABASE_URL: this version changes the schema of the database, which is in use by ${named(nodes)} of version ` +
        `${versionsOf(nodes)}. Stop ${them(nodes)} first.`,
    )
  }
  const others = nodes.filter((node) => node.secret !== secretDigest(secret))
  if (!others.length) return
  throw new StartError(
    `JWT_SECRET: another secret is set on ${named(others)} of this database, so what one node signs, the other refuses. ` +
      'Set the same secret on all nodes.',
  )
}

/** Names the versions of nodes, each once. */
export const versionsOf = (nodes: readonly Pick<NodeRow, 'version'>[]): string =>
  [...new Set(nodes.map(({ version }) => version))].join(', ')

const them = (nodes: readonly NodeRow[]) => (nodes.length === 1 ? 'it' : 'them')

const named = (nodes: readonly NodeRow[]) =>
  `${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'} (on ${[...new Set(nodes.map(({ host }) => host))].join(', ')})`
