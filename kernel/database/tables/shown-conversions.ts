import type { Knex } from 'knex'
import type { Database } from '../database.ts'
import type { ConversionRow, Status } from './conversions.ts'

/** The columns of a conversion that clients see, and those that tell who may see it. */
const SHOWN = [
  'id',
  'owner',
  'status',
  'progress',
  'from_format',
  'to_format',
  'name',
  'source_size',
  'output_key',
  'output_size',
  'error_code',
  'error_message',
  'created_at',
  'completed_at',
  'expires_at',
] as const satisfies (keyof ConversionRow)[]

export type ShownRow = Pick<ConversionRow, (typeof SHOWN)[number]>

/** Returns what clients see of a conversion, expired or not. */
export const findShown = (database: Database, id: string): Promise<ShownRow | undefined> =>
  database<ConversionRow>('conversions')
    .where({ id })
    .first(...SHOWN)

/**
 * Lists these owners' conversions that have not expired, newest first. One statement for each owner: for several at
 * once, databases sort all their rows, or read those of every owner in one status. For a later page, MariaDB would read
 * the owner's whole list down to it, unless it is told the index.
 *
 * @param before Only conversions older than this id.
 */
export async function listConversions(
  database: Database,
  owners: readonly string[],
  { status, before, limit, now }: { status?: Status; before?: string; limit: number; now: number },
): Promise<ShownRow[]> {
  const isLive = (either: Knex.QueryBuilder) => either.whereNull('expires_at').orWhere('expires_at', '>', now)
  const index = `conversions_by_owner${status ? '_status' : ''}`
  const isLater = before !== undefined && database.client.config.client === 'mysql2'
  const table = isLater ? database.raw(`conversions force index (${index})`) : 'conversions'
  const lists = owners.map((owner) => {
    const query = database<ConversionRow>(table).where({ owner, ...(status && { status }) })
    if (before !== undefined) query.andWhere('id', '<', before)
    return query.andWhere(isLive).orderBy('id', 'desc').limit(limit).select(SHOWN)
  })
  const rows = (await Promise.all(lists)).flat()
  return rows.sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit)
}
