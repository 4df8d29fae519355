import { askDirectly } from '../connection.ts'
import type { Database } from '../database.ts'
import { inWidestLane, lanesAround } from '../lanes.ts'
import { NOW } from '../now.ts'
import type { ConversionRow, Status } from './conversions.ts'
import { withoutLivingNode } from './nodes.ts'

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

/** Waiting conversions that a look reads of all lanes, or a few more. */
const PAGE = 1000

/** Lanes and kinds whose waiting conversions a look counts: each has one at least. */
const GROUPS = PAGE + 2

/** Up to so many waiting conversions of a lane and kind, they are read together with those of other lanes. */
const SHALLOW = 8

/**
 * Lists what may be delivered next of a lane: the first waiting conversions of each kind, and what runs. The order is that in
 * which the database inserted them, because the clocks of the nodes may differ. For MySQL and MariaDB only.
 *
 * @param most Waiting conversions of each kind. If the lane lies in wider ones, more of all in the widest one: each of these lanes
 *   may hold back its own.
 */
export async function listBacklogOf(database: Database, lane: string, most: number): Promise<BacklogRow[]> {
  const { sql, values } = inWidestLane(lane)
  const limit = lanesAround(lane).length > 1 ? Math.max(most, PAGE) : most
  const kinds = [0, 1].flatMap((heavy) => [...values, heavy, limit])
  const rows = await askDirectly(database, nextIn(sql), [...values, ...kinds])
  return inOrder(rows as (BacklogRow & { seq: number })[])
}

/** A part of the backlog of all lanes. */
export interface BacklogPage {
  rows: BacklogRow[]
  /** The last lane whose waiting conversions it has; undefined: there are no others. */
  after: string | undefined
}

/**
 * Lists the same of the next lanes in alphabetical order, as many as have 1,000 waiting conversions to read, with all that runs
 * and the first interrupted ones of each pair. Others are only counted, which an index does.
 *
 * @param most Waiting conversions of each lane and kind. @param after The last lane of the page before; undefined: begin.
 */
export async function listBacklog(
  database: Database,
  { most, after = '' }: { most: number; after?: string | undefined },
): Promise<BacklogPage> {
  const limit = Math.max(most, SHALLOW)
  const { lanes, after: next } = nextLanes(await countWaitingGroups(database, after), limit)
  const isShallow = ({ numbers }: WaitingLane) => numbers.every((number) => number <= limit)
  const shallow = lanes.filter(isShallow).map(({ lane }) => lane)
  const deep = lanes.filter((each) => !isShallow(each)).map(({ lane }) => lane)
  const heads = deep.flatMap((lane) => [0, 1].map((heavy) => [lane, heavy, limit]))
  // One statement: otherwise what a node claims meanwhile could be missing, and a second interrupted one be delivered.
  const [rows] = await database.raw(
    unionOf([
      `${SELECT} status = 'processing'`,
      FIRST_INTERRUPTED,
      ...(shallow.length ? [`${SELECT} ${WAITS} and lane in (${shallow.map(() => '?').join()})`] : []),
      ...heads.map(() => NEXT),
    ]),
    [...shallow, ...heads.flat()],
  )
  return { rows: inOrder(rows), after: next }
}

/** A lane, and how many of its conversions wait, of each kind. */
interface WaitingLane {
  lane: string
  numbers: number[]
}

/** Counts the waiting conversions of the next lanes behind one. */
async function countWaitingGroups(database: Database, after: string): Promise<{ lane: string; number: number }[]> {
  const [rows] = await database.raw(
    "select lane, count(*) as number from conversions where status = 'queued' and lane > ? " +
      'group by lane, heavy order by lane, heavy limit ?',
    [after, GROUPS],
  )
  return rows
}

/** Returns as many lanes as a page has room for, and at least one. */
function nextLanes(groups: readonly { lane: string; number: number }[], limit: number) {
  const all: WaitingLane[] = [...Map.groupBy(groups, ({ lane }) => lane)].map(([lane, each]) => ({
    lane,
    numbers: each.map(({ number }) => Number(number)),
  }))
  const cut = groups.length === GROUPS
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

const inOrder = (rows: (BacklogRow & { seq: number })[]) => rows.sort((one, other) => one.seq - other.seq)

const NAMES = COLUMNS.map((name) => `\`${name}\``).join(', ')
const SELECT = `select ${NAMES} from conversions where`
const WAITS = "status = 'queued' and attempts = 0"
const unionOf = (statements: readonly string[]) => statements.map((each) => `(${each})`).join(' union all ')

/** An index has the waiting ones of a lane and kind in this order. @param lane SQL of a condition. */
const next = (lane: string) => `${SELECT} ${WAITS} and ${lane} and heavy = ? order by seq limit ?`
const NEXT = next('lane = ?')

/** Interrupted conversions that run at the same time, at most. */
export const MOST_INTERRUPTED = 32

/**
 * There can be many of pairs that no living node can convert, and they must not hide another pair.
 * An index finds them: no more were interrupted than ran.
 */
const FIRST_INTERRUPTED =
  `select ${NAMES} from (select ${NAMES}, row_number() over (partition by ${PAIR.join(', ')} order by seq) as place ` +
  `from conversions where status = 'queued' and attempts > 0) as interrupted where place <= ${MOST_INTERRUPTED}`

/** The usual case, at each start and each end. */
const nextIn = (lane: string) => unionOf([`${SELECT} status = 'processing' and ${lane}`, next(lane), next(lane)])

/** Lists conversions that a node claimed and did not end before its lease did. */
export const listAbandoned = (database: Database): Promise<ConversionRow[]> =>
  conversions(database).where({ status: 'processing' }).where(withoutLivingNode(database)).orderBy('id')

/** Lists conversions that a node has claimed and not ended. */
export const listProcessingOf = (database: Database, node: string): Promise<ConversionRow[]> =>
  conversions(database).where({ status: 'processing', node })

/** How many conversions of each kind wait, and for how many milliseconds the oldest one has; 0: none waits. */
export type QueuedByKind = Record<'light' | 'heavy', { waiting: number; age: number }>

/** An index counts them and finds the first of each kind. */
const QUEUED_BY_KIND =
  `select queued.heavy, queued.waiting, greatest(0, ${NOW} - first.created_at) as age from ` +
  "(select heavy, count(*) as waiting, min(seq) as seq from conversions where status = 'queued' group by heavy) as queued " +
  'join conversions as first on first.seq = queued.seq'

/** Counts waiting conversions by kind. For MySQL and MariaDB only. */
export async function countQueuedByKind(database: Database): Promise<QueuedByKind> {
  const [rows] = await database.raw(QUEUED_BY_KIND)
  const of = (heavy: boolean) => {
    const row = rows.find((row: { heavy: number }) => Boolean(row.heavy) === heavy)
    return { waiting: Number(row?.waiting ?? 0), age: Number(row?.age ?? 0) }
  }
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
