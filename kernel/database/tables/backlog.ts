import type { Knex } from 'knex'
import type { Database } from '../database.ts'
import { lanesAround, whereInLane } from '../lanes.ts'
import type { ConversionRow } from './conversions.ts'
import { withoutLivingNode } from './nodes.ts'

/** What the queue of several nodes needs of a pending conversion, and the number by which it is ordered. */
const COLUMNS = [
  'id',
  'owner',
  'plan',
  'heavy',
  'lane',
  'attempts',
  'batch',
  'status',
  'fence',
  'node',
  'from_format',
  'to_format',
  'seq',
] as const

/** The part of a pending conversion that the queue of several nodes needs. */
export type BacklogRow = Pick<ConversionRow, Exclude<(typeof COLUMNS)[number], 'seq'>>

type OrderedRow = BacklogRow & { seq: number }

/** Waiting conversions that one page of the backlog has, or a few more. */
const PAGE = 1000

/** Lanes and kinds whose waiting conversions are counted for a page: each has one at least. */
const MAX_GROUPS = PAGE + 2

/** Up to so many waiting conversions of a lane and kind, they are read together with those of other lanes. */
const SHALLOW = 8

/** Interrupted conversions that run at the same time, at most. */
export const MAX_INTERRUPTED = 32

const conversions = (database: Database) => database<ConversionRow & { seq: number }>('conversions')

const waiting = (database: Database): Knex.QueryBuilder =>
  conversions(database).where({ status: 'queued', attempts: 0 })

/** The first waiting conversions of both kinds of a lane. An index has them in this order. */
const firstOf = (
  database: Database,
  inLane: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
  count: number,
): Knex.QueryBuilder[] =>
  [0, 1].map((heavy) =>
    inLane(waiting(database))
      .where({ heavy })
      .orderBy('seq')
      .limit(count)
      .select(...COLUMNS),
  )

/**
 * The first interrupted conversions of each pair. There can be many of pairs that no living node can convert, and they
 * must not hide another pair. An index finds them: no more were interrupted than ran.
 */
function firstInterrupted(database: Database): Knex.QueryBuilder {
  const pair = ['from_format', 'to_format']
  const ranked = conversions(database)
    .where({ status: 'queued' })
    .where('attempts', '>', 0)
    .select(...COLUMNS)
    .rowNumber('place', (over) => void over.partitionBy(pair).orderBy('seq'))
  return database
    .from(ranked.as('interrupted'))
    .where('place', '<=', MAX_INTERRUPTED)
    .select(...COLUMNS)
}

/**
 * One statement: otherwise what a node claims meanwhile could be missing, and a second interrupted one be delivered.
 */
async function readTogether(first: Knex.QueryBuilder, others: Knex.QueryBuilder[]): Promise<BacklogRow[]> {
  const rows: OrderedRow[] = await first.select(...COLUMNS).unionAll(others, true)
  return rows.sort((one, other) => one.seq - other.seq)
}

/**
 * Lists what may be delivered next of a lane: the first waiting conversions of each kind, and what runs. The order is
 * that in which the database inserted them, because the clocks of the nodes may differ. For MySQL and MariaDB only.
 *
 * @param max Waiting conversions of each kind. If the lane lies in wider ones, more of all in the widest one: each of
 * these lanes may hold back its own.
 */
export function listBacklogOf(database: Database, lane: string, max: number): Promise<BacklogRow[]> {
  const level = lanesAround(lane).length - 1
  const inWidest = (query: Knex.QueryBuilder) => whereInLane(query, lane, level)
  const count = level > 0 ? Math.max(max, PAGE) : max
  const running = inWidest(conversions(database).where({ status: 'processing' }))
  return readTogether(running, firstOf(database, inWidest, count))
}

/**
 * Lists one page of the backlog: lanes in alphabetical order, up to about 1,000 waiting conversions, with all that runs
 * and the first interrupted ones of each pair. `after`: the last lane whose waiting conversions it has; undefined:
 * there are no others.
 *
 * @param max Waiting conversions of each lane and kind. @param after The last lane of the page before; undefined:
 * begin.
 */
export async function listBacklog(
  database: Database,
  { max, after = '' }: { max: number; after?: string | undefined },
): Promise<{ rows: BacklogRow[]; after: string | undefined }> {
  const limit = Math.max(max, SHALLOW)
  const { lanes, after: next } = nextLanes(await countWaitingGroups(database, after), limit)
  const isShallow = ({ numbers }: WaitingLane) => numbers.every((number) => number <= limit)
  const shallow = lanes.filter(isShallow).map(({ lane }) => lane)
  const deep = lanes.filter((each) => !isShallow(each))
  const rows = await readTogether(conversions(database).where({ status: 'processing' }), [
    firstInterrupted(database),
    waiting(database)
      .whereIn('lane', shallow)
      .select(...COLUMNS),
    ...deep.flatMap(({ lane }) => firstOf(database, (query) => query.where({ lane }), limit)),
  ])
  return { rows, after: next }
}

/** A lane, and how many of its conversions wait, of each kind. */
interface WaitingLane {
  lane: string
  numbers: number[]
}

/** Counts the waiting conversions of the next lanes behind one, which an index does. */
const countWaitingGroups = (database: Database, after: string): Promise<{ lane: string; number: number }[]> =>
  (conversions(database) as Knex.QueryBuilder)
    .where({ status: 'queued' })
    .where('lane', '>', after)
    .groupBy('lane', 'heavy')
    .orderBy(['lane', 'heavy'])
    .limit(MAX_GROUPS)
    .select('lane')
    .count({ number: '*' })

/** Returns as many lanes as a page has room for, and at least one. */
function nextLanes(groups: readonly { lane: string; number: number }[], limit: number) {
  const all: WaitingLane[] = [...Map.groupBy(groups, ({ lane }) => lane)].map(([lane, each]) => ({
    lane,
    numbers: each.map(({ number }) => Number(number)),
  }))
  const cut = groups.length === MAX_GROUPS
  // The other kind of the last one may not have been counted.
  if (cut) all.pop()
  let rows = 0
  const first = all.findIndex(({ numbers }, n) => {
    for (const number of numbers) rows += Math.min(number, limit)
    return n > 0 && rows > PAGE
  })
  const lanes = first < 0 ? all : all.slice(0, first)
  return { lanes, after: first < 0 && !cut ? undefined : lanes.at(-1)?.lane }
}

/** Lists conversions that a node claimed and did not end before its lease did. */
export const listAbandoned = (database: Database): Promise<ConversionRow[]> =>
  conversions(database).where({ status: 'processing' }).where(withoutLivingNode(database)).orderBy('id')

/** Lists conversions that a node has claimed and not ended. */
export const listProcessingOf = (database: Database, node: string): Promise<ConversionRow[]> =>
  conversions(database).where({ status: 'processing', node })

/** Lists the pairs of the waiting conversions. */
export const listQueuedPairs = async (
  database: Database,
): Promise<Pick<ConversionRow, 'from_format' | 'to_format'>[]> =>
  conversions(database).where({ status: 'queued' }).distinct('from_format', 'to_format')

/** Lists waiting conversions of a pair. */
export const listQueuedOfPair = (
  database: Database,
  pair: Pick<ConversionRow, 'from_format' | 'to_format'>,
  limit: number,
): Promise<ConversionRow[]> =>
  conversions(database)
    .where({ status: 'queued', ...pair })
    .limit(limit)
