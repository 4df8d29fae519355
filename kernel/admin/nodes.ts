import type { Config } from '../../config/config.ts'
import { livingNodes } from '../cluster/agree.ts'
import { cannotUse, openExisting } from '../database/database.ts'
import type { LivingNode } from '../database/tables/nodes.ts'

/** What doctor reports of the nodes that share the database. */
export interface NodesFinding {
  /** Why they are not known; undefined: they are. */
  fault?: string
  /** In the order in which they registered: the first one leads. */
  living: {
    id: string
    host: string
    version: string
    /** `all`, `api` or `worker`. */
    role: string
    /** Nodes with the same digest can convert the same; null: it converts nothing. */
    abilities: string | null
    /** Conversions that it runs at the same time, by lane. */
    light: number
    heavy: number
    /** Milliseconds until its lease ends, if it does not renew it. */
    lease: number
  }[]
}

/** Asks the database for the living nodes. Resolves to null if the configuration is not one of several nodes. */
export async function examineNodes({
  redisUrl,
  databaseUrl: url,
  dataDir,
}: Pick<Config, 'redisUrl' | 'databaseUrl' | 'dataDir'>): Promise<NodesFinding | null> {
  if (!redisUrl) return null
  try {
    const database = await openExisting({ url, dataDir }, async () => {})
    try {
      const nodes = database ? (await livingNodes(database)).nodes : []
      return { living: nodes.map(toFinding) }
    } finally {
      await database?.destroy()
    }
  } catch (error) {
    return { fault: cannotUse(error, 'DATABASE_URL').message, living: [] }
  }
}

const toFinding = ({ light_workers: light, heavy_workers: heavy, abilities_digest, ...row }: LivingNode) => {
  const { id, host, version, role, lease } = row
  return { id, host, version, role, abilities: abilities_digest, light, heavy, lease }
}
