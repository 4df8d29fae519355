/** No statement that lists rows, or looks for a few, reads a whole table. */
import t, { type Test } from 'tap'
import { fill } from '../../bench/growth-rows.ts'
import { type Database, openDatabase } from '../../kernel/database/database.ts'
import { findKeyByHash, listActiveKeys } from '../../kernel/database/tables/api-keys.ts'
import { listAuditAfter } from '../../kernel/database/tables/audit.ts'
import { countQueuedByKind, listBacklog } from '../../kernel/database/tables/backlog.ts'
import { deleteExpiredBatches, readBatch, readBatchCounts } from '../../kernel/database/tables/batches.ts'
import { countWaiting, findFullLane } from '../../kernel/database/tables/conversion-admission.ts'
import {
  firstConversionExpiry,
  listConversionsWithIds,
  listExpiredConversions,
  listInStatus,
  listPendingIds,
  listPendingOf,
  listQueuedOf,
} from '../../kernel/database/tables/conversions.ts'
import { countFilesOf, firstFileExpiry, listExpiredFiles } from '../../kernel/database/tables/files.ts'
import { findUserOfIdentity } from '../../kernel/database/tables/identities.ts'
import { countValidResets } from '../../kernel/database/tables/password-resets.ts'
import { listQuotaUse } from '../../kernel/database/tables/quota-use.ts'
import { listConversions } from '../../kernel/database/tables/shown-conversions.ts'
import { listStoredBytes } from '../../kernel/database/tables/stored-bytes.ts'
import { listInvitationsTo, listInvited } from '../../kernel/database/tables/team-invitations.ts'
import { isMember, listMemberships } from '../../kernel/database/tables/team-members.ts'
import { countTeamsOf } from '../../kernel/database/tables/teams.ts'
import { findTrail } from '../../kernel/database/tables/trails.ts'
import { findUserByEmail } from '../../kernel/database/tables/users.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'

/** So many that a server prefers an index to reading all rows. */
const STORED = 20_000

const ID = 'conv_000000007'
const KEY = 'uploads/2026/11/23/00000007/picture.png'
const one = ['user_of_many']
const two = ['user_of_many', 'user_3']

/** What the service asks a database with one node. */
function asked(database: Database): Record<string, () => Promise<unknown>> {
  const now = Date.now()
  const page = { limit: 51, now }
  return {
    'the first page of a list': () => listConversions(database, one, page),
    'a later page': () => listConversions(database, one, { ...page, before: 'conv_000000050' }),
    'a page of one status': () => listConversions(database, one, { ...page, status: 'failed' }),
    'a page of several owners': () => listConversions(database, two, { ...page, status: 'completed' }),
    'conversions by id': () => listConversionsWithIds(database, [ID, 'conv_000000008']),
    'conversions in a status': () => listInStatus(database, 'processing'),
    'pending ones': () => listPendingIds(database),
    'pending ones of owners': () => listPendingOf(database, two),
    'pending ones of an upload': () => listQueuedOf(database, KEY),
    'pending ones of a lane': () => findFullLane(database, 'user_3', 5),
    'pending ones of a lane in others': () => findFullLane(database, 'a.b.c', 5),
    'waiting ones': () => countWaiting(database),
    'the first expiry of conversions': () => firstConversionExpiry(database, 'user_3'),
    'the first expiry of uploads': () => firstFileExpiry(database, 'user_3'),
    'uploads of owners': () => countFilesOf(database, two),
    'expired conversions': () => listExpiredConversions(database, now, 100, [ID]),
    'expired uploads': () => listExpiredFiles(database, now, 100, [KEY]),
    'expired batches': () => deleteExpiredBatches(database, now, 100),
    'a batch': () => readBatch(database, 'batch_7'),
    'a batch in numbers': () => readBatchCounts(database, 'batch_7'),
    'a trail': () => findTrail(database, ID),
    'a quota': () => listQuotaUse(database, two, 20_000),
    'stored bytes': () => listStoredBytes(database, two),
  }
}

/** What it asks about people. These tables are empty here, and only SQLite says how it would read them. */
function askedOfPeople(database: Database): Record<string, () => Promise<unknown>> {
  return {
    'an account by its address': () => findUserByEmail(database, 'a@example.org'),
    'an account by its identity': () => findUserOfIdentity(database, { issuer: 'https://a.example', subject: '7' }),
    'a key': () => findKeyByHash(database, 'x'),
    'keys of an account': () => listActiveKeys(database, 'user_1', 1),
    'resets of an account': () => countValidResets(database, 'user_1', 1),
    'teams of an account': () => listMemberships(database, 'user_1', { limit: 10, before: 'x' }),
    'a membership': () => isMember(database, 'team_1', 'user_1'),
    'teams that somebody owns': () => countTeamsOf(database, 'user_1'),
    'who is invited': () => listInvited(database, 'team_1'),
    'invitations to an address': () => listInvitationsTo(database, 'a@example.org', { now: 1, limit: 10 }),
    'the journal': () => listAuditAfter(database, 'x', 10),
  }
}

/** A statement with its values, if they are not in it. */
type Statement = [sql: string, values?: unknown[]]

/**
 * Checks the plan of each statement that reads.
 *
 * @param seenIn Runs something and resolves to its statements. @param scans Returns the parts of a plan that read too
 * much.
 */
async function check(
  t: Test,
  all: Record<string, () => Promise<unknown>>,
  seenIn: (run: () => Promise<unknown>) => Promise<Statement[]>,
  scans: (statement: Statement) => Promise<unknown[]>,
): Promise<void> {
  for (const [name, run] of Object.entries(all)) {
    const reads = (await seenIn(run)).filter(([sql]) => /^\(?select\b/i.test(sql))
    t.not(reads.length, 0, `${name}: seen`)
    for (const statement of reads) t.strictSame(await scans(statement), [], `${name}: ${statement[0]}`)
  }
}

async function filled(t: Test, url?: string): Promise<Database> {
  const database = await openDatabase({ url, dataDir: t.testdir() })
  t.teardown(() => database.destroy())
  await fill(database, STORED)
  const made = { owner: 'user_3', total: 1, completed: 1, failed: 0, created_at: 1, expires_at: 1e15 }
  const batches = Array.from({ length: 5000 }, (_, n) => ({ ...made, id: `batch_${n}` }))
  await database.batchInsert('batches', batches, 100)
  await database('conversions')
    .where('id', '<', 'conv_000005000')
    .update({
      batch: database.raw(url ? "concat('batch_', substr(id, 12) + 0)" : "'batch_' || cast(substr(id, 12) as integer)"),
    })
  if (url) await database.raw('analyze table conversions, batches')
  return database
}

t.test('SQLite', async (t) => {
  const database = await filled(t)
  const seen: Statement[] = []
  database.on('query', ({ sql, bindings }) => void seen.push([sql, bindings]))
  const seenIn = async (run: () => Promise<unknown>) => {
    seen.length = 0
    await run()
    return [...seen]
  }
  await check(t, { ...asked(database), ...askedOfPeople(database) }, seenIn, async ([sql, values]) => {
    const plan: { detail: string }[] = await database.raw(`explain query plan ${sql}`, values as never)
    return plan.map(({ detail }) => detail).filter((line) => /^SCAN|USE TEMP B-TREE FOR ORDER BY/.test(line))
  })
})

t.test('MariaDB', async (t) => {
  await using server = await startMariaDb()
  const database = await filled(t, await server.create('plans'))
  await database.raw("set global log_output = 'table'")
  const seenIn = async (run: () => Promise<unknown>): Promise<Statement[]> => {
    await database.raw('truncate mysql.general_log')
    await database.raw('set global general_log = 1')
    await run()
    await database.raw('set global general_log = 0')
    const [rows] = await database.raw(
      "select argument from mysql.general_log where command_type in ('Query', 'Execute')",
    )
    return rows.map(({ argument }: { argument: string }) => [String(argument)])
  }
  const all = {
    ...asked(database),
    'the backlog': () => listBacklog(database, 8),
    'the backlog of a lane': () => listBacklog(database, 8, 'user_3'),
    'the backlog of a lane in others': () => listBacklog(database, 8, 'a.b.c'),
    'waiting ones by kind': () => countQueuedByKind(database),
  }
  await check(t, all, seenIn, async ([sql]) => {
    // A question mark within a text is none for a value.
    const [plan] = await database.raw(`explain ${sql.replaceAll('?', '\\\\?')}`)
    const read = plan.filter(({ table }: { table: string | null }) => table && !table.startsWith('<'))
    return read.filter(({ type }: { type: string }) => type === 'ALL' || type === 'index')
  })

  const rowsRead = async () => Number((await database.raw("show global status like 'Handler_read_prev'"))[0][0].Value)
  const ids = (await database('conversions').where({ owner: one[0] }).orderBy('id', 'desc').pluck('id')) as string[]
  for (const at of [0, Math.floor(ids.length / 2), ids.length - 51]) {
    const before = await rowsRead()
    const page = await listConversions(database, one, { limit: 50, now: 0, before: ids[at]! })
    t.strictSame(
      page.map(({ id }) => id),
      ids.slice(at + 1, at + 51),
    )
    t.ok((await rowsRead()) - before <= 100, 'a later page reads no more of the list than the page')
  }
})
