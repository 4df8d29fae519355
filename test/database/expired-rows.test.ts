/** What the sweeper deletes from tables whose rows only expire. */
import t from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { deleteExpired, EXPIRING_TABLES } from '../../kernel/database/expired-rows.ts'

const NOW = Date.UTC(2026, 0, 1)
const DAY = 86_400_000

const database = await openDatabase({ url: undefined, dataDir: t.testdir({}) })
t.teardown(() => database.destroy())

/** A row with this time in the columns that tell when it goes, and a text of its own elsewhere. */
async function rowOf(table: string, time: number) {
  const columns = Object.keys(await database(table).columnInfo())
  return Object.fromEntries(columns.map((name) => [name, ['at', 'expires_at'].includes(name) ? time : `${time}`]))
}

t.test('rows go one batch at a time when they have expired, the oldest first', async (t) => {
  for (const table of EXPIRING_TABLES) {
    // What operators did is kept for longer.
    const kept = table === 'audit' ? 400 * DAY : 0
    const times = [3, 2, 1, 0, -1].map((days) => NOW - kept - days * DAY)
    for (const time of times) await database(table).insert(await rowOf(table, time))
    const left = async () => (await database(table).pluck(table === 'audit' ? 'at' : 'expires_at')).sort()
    t.equal(await deleteExpired(database, table, NOW, 2), 2, table)
    t.strictSame(await left(), times.slice(2), table)
    t.equal(await deleteExpired(database, table, NOW, 10), 2, table)
    t.strictSame(await left(), times.slice(4), `${table}: what has not expired stays`)
  }
})

t.test('every table with a time of expiry is swept', async (t) => {
  const tables: string[] = await database('sqlite_master').where({ type: 'table' }).pluck('name')
  const expiring = []
  for (const table of tables) if ((await database(table).columnInfo('expires_at')).type) expiring.push(table)
  // Rooms of their own sweep these, with their bytes.
  const others = ['batches', 'conversions', 'files', 'resumable_uploads']
  const swept = EXPIRING_TABLES.filter((table) => table !== 'audit')
  t.strictSame(expiring.sort(), [...swept, ...others].sort())
})
