import { createHmac } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { readSchema } from '../database/schema-state.ts'
import { listLivingNodes, type NodeRow } from '../database/tables/nodes.ts'
import { StartError } from '../errors.ts'

/** Migration that creates the table of nodes. */
const FIRST = '013-nodes'

/** Digest by which nodes compare their secrets. */
export const secretDigest = (secret: string): string =>
  createHmac('sha256', secret).update('athanor:nodes').digest('hex')

/** Lists living nodes, also of a database whose schema is older than they. */
async function living(database: Database): Promise<{ nodes: NodeRow[]; pending: readonly string[] }> {
  const { applied, pending } = await readSchema(database)
  return { nodes: applied.includes(FIRST) ? await listLivingNodes(database) : [], pending }
}

/** @throws StartError if nodes share the database: a service without Redis would run their conversions again. */
export async function requireAlone(database: Database): Promise<void> {
  const { nodes } = await living(database)
  if (!nodes.length) return
  throw new StartError(
    `DATABASE_URL: ${named(nodes)} share this database. Stop them first (one that was killed counts for 15 seconds), or ` +
      'set REDIS_URL to theirs.',
  )
}

/** @throws StartError if this service cannot work together with the living nodes. */
export async function requireAgreement(database: Database, secret: string): Promise<void> {
  const { nodes, pending } = await living(database)
  if (nodes.length && pending.length) {
    throw new StartError(
      `DATABASE_URL: ${named(nodes)} of version ${nodes[0]!.version} use this database, and this version changes its ` +
        'schema. Stop them first.',
    )
  }
  const others = nodes.filter((node) => node.secret !== secretDigest(secret))
  if (!others.length) return
  throw new StartError(
    `JWT_SECRET: ${named(others)} of this database have another secret, so they would refuse what this one signs. ` +
      'Set the same secret on all nodes.',
  )
}

const named = (nodes: readonly NodeRow[]) =>
  `${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'} (on ${[...new Set(nodes.map(({ host }) => host))].join(', ')})`
