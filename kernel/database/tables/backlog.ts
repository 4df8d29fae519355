import type { Knex } from 'knex'
import { askDirectly } from '../connection.ts'
import type { Database } from '../database.ts'
import type { ConversionRow, Status } from './conversions.ts'
import { type KindCounts, withoutLivingNode } from './nodes.ts'

/** The part of a pending conversion that the queue of several nodes needs. */
export type BacklogRow = Pick<
  ConversionRow,
  | 'id'
  | 'owner'
  | 'plan'
  | 'heavy'
  | 'lane'
  | 'attempts'
  | 'batch'
  | 'status'
  | 'fence'
  | 'node'
  | 'from_format'
  | 'to_format'
>

const PAIR = ['from_format', 'to_format'] as const

const COLUMNS = [
  ...(['id', 'owner', 'plan', 'heavy', 'lane', 'attempts', 'batch', 'status', 'fence', 'node', 'seq'] as const),
  ...PAIR,
]

const conversions = (database: Database) => database<ConversionRow & { seq: number }>('conversions')

/**
 * Lists what may be delivered next, of all lanes or of one: the first waiting conversions of each lane and kind, and what
 * runs. The order is that in which the database inserted them, because the clocks of the nodes may differ. Of all lanes,
 * the list also has the first conversion that was interrupted. For MySQL and MariaDB only.
 *
 * @param most Waiting conversions of each lane and kind. @param byPair And of each pair, because nodes differ in what they can
 * convert. Otherwise the first ones of an owner could hide others that a free node can convert.
 */
export async function listBacklog(
  database: Database,
  { most, byPair = false, lane }: { most: number; byPair?: boolean; lane?: string | undefined },
): Promise<BacklogRow[]> {
  if (lane !== undefined && !byPair) {
    const rows = await askDirectly(database, NEXT_IN_LANE, [lane, lane, most, lane, most])
    return inOrder(rows as (BacklogRow & { seq: number })[])
  }
  const among = (status: Status) => conversions(database).where({ status }).select(COLUMNS)
  const waiting = among('queued').where({ attempts: 0 })
  const interrupted = among('queued').where('attempts', '>', 0)
  const kinds = byPair ? ['lane', 'heavy', ...PAIR] : ['lane', 'heavy']
  const parts =
    lane === undefined
      ? [
          among('processing'),
          firstOf(database, waiting, kinds, most),
          byPair ? firstOf(database, interrupted, PAIR, 1) : interrupted.orderBy('seq').limit(1),
        ]
      : [among('processing').where({ lane }), firstOf(database, waiting.where({ lane }), kinds, most)]
  return inOrder(await database.unionAll(parts, true))
}

const inOrder = (rows: (BacklogRow & { seq: number })[]) => rows.sort((one, other) => one.seq - other.seq)

/** The usual case, at each start and each end. An index has the waiting ones in this order. */
const NEXT_IN_LANE = ["status = 'processing' and lane = ?", ...[0, 1].map((heavy) => nextOf(heavy))]
  .map((condition) => `(select ${COLUMNS.map((name) => `\`${name}\``).join(', ')} from conversions where ${condition})`)
  .join(' union all ')

function nextOf(heavy: number): string {
  return `status = 'queued' and attempts = 0 and lane = ? and heavy = ${heavy} order by seq limit ?`
}

/** The first conversions of each kind, of those that a query finds. */
function firstOf(database: Database, found: Knex.QueryBuilder, kind: readonly string[], most: number) {
  const place = database.raw(`row_number() over (partition by ${kind.join(', ')} order by seq) as place`)
  const numbered: Knex.QueryBuilder = database.from(found.select(place).as('waiting') as never)
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

/** Lists the pairs of the waiting conversions. */
export const listQueuedPairs = async (
  database: Database,
): Promise<Pick<ConversionRow, 'from_format' | 'to_format'>[]> =>
  conversions(database)
    .where({ status: 'queued' satisfies Status })
    .distinct(...PAIR)

/** Lists waiting conversions of a pair. */
export const listQueuedOfPair = (
  database: Database,
  pair: Pick<ConversionRow, 'from_format' | 'to_format'>,
  limit: number,
): Promise<ConversionRow[]> =>
  conversions(database)
    .where({ status: 'queued' satisfies Status, ...pair })
    .limit(limit)
