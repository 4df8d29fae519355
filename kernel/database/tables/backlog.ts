import type { Knex } from 'knex'
import type { Database } from '../database.ts'
import type { ConversionRow, Status } from './conversions.ts'
import { withoutLivingNode } from './nodes.ts'

/** The part of a pending conversion that the queue of several nodes needs. */
export type BacklogRow = Pick<
  ConversionRow,
  'id' | 'owner' | 'plan' | 'heavy' | 'lane' | 'attempts' | 'batch' | 'status' | 'fence'
>

/** Numbers of light and heavy conversions. */
export interface KindCounts {
  light: number
  heavy: number
}

const COLUMNS = ['id', 'owner', 'plan', 'heavy', 'lane', 'attempts', 'batch', 'status', 'fence', 'seq'] as const

const conversions = (database: Database) => database<ConversionRow & { seq: number }>('conversions')

/**
 * Lists what may be delivered next, of all lanes or of one: the first waiting conversions of each lane and kind, and what
 * runs. The order is that in which the database inserted them, because the clocks of the nodes may differ. Of all lanes,
 * the list also has the first conversion that was interrupted. For MySQL and MariaDB only.
 *
 * @param most Waiting conversions of each lane and kind.
 */
export async function listBacklog(database: Database, most: number, lane?: string): Promise<BacklogRow[]> {
  const among = (status: Status) => conversions(database).where({ status }).select(COLUMNS)
  const parts =
    lane === undefined
      ? [
          among('processing'),
          firstOfAll(database, most),
          among('queued').where('attempts', '>', 0).orderBy('seq').limit(1),
        ]
      : [
          among('processing').where({ lane }),
          // An index has them in this order.
          ...[0, 1].map((heavy) => among('queued').where({ lane, heavy, attempts: 0 }).orderBy('seq').limit(most)),
        ]
  const rows = await database.unionAll(parts, true)
  return rows.sort((one, other) => one.seq - other.seq)
}

function firstOfAll(database: Database, most: number): Knex.QueryBuilder {
  const place = database.raw('row_number() over (partition by lane, heavy order by seq) as place')
  const waiting = conversions(database)
    .where({ status: 'queued', attempts: 0 })
    .select(COLUMNS)
    .select(place as never)
  const numbered: Knex.QueryBuilder = database.from(waiting.as('waiting') as never)
  return numbered.where('place', '<=', most).select(COLUMNS)
}

/** Lists conversions that a node claimed and did not end before its lease did. */
export const listAbandoned = (database: Database): Promise<ConversionRow[]> =>
  conversions(database).where({ status: 'processing' }).where(withoutLivingNode(database)).orderBy('id')

/** Lists conversions that a node has claimed and not ended. */
export const listProcessingOf = (database: Database, node: string): Promise<ConversionRow[]> =>
  conversions(database).where({ status: 'processing', node })

/** Counts waiting conversions by kind. */
export async function countQueuedByKind(database: Database): Promise<KindCounts> {
  const rows = (await conversions(database)
    .where({ status: 'queued' satisfies Status })
    .groupBy('heavy')
    .select('heavy')
    .count({ number: '*' })) as { heavy: number; number: number }[]
  const of = (heavy: boolean) => Number(rows.find((row) => Boolean(row.heavy) === heavy)?.number ?? 0)
  return { light: of(false), heavy: of(true) }
}
