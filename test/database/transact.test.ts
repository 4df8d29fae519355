import t, { type Test } from 'tap'
import { openDatabase, openSeparately, ping } from '../../kernel/database/database.ts'
import { transact } from '../../kernel/database/transact.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { until } from '../harness/until.ts'
import { openCounts } from './counts.ts'

const server = await startMariaDb()
t.teardown(() => server[Symbol.asyncDispose]())

async function suite(t: Test, url: string | undefined): Promise<void> {
  const database = await openDatabase({ url, dataDir: t.testdir() })
  t.teardown(() => database.destroy())
  await database.raw('create table notes (value varchar(9) primary key)')
  const notes = () => database('notes').orderBy('value').pluck('value')
  const add = (...values: string[]) =>
    transact(database, async (transaction) => {
      for (const value of values) await transaction('notes').insert({ value })
      if (values.includes('refused')) throw new Error('no place')
      return values.length
    })

  await t.test('work that fails changes nothing, and others do not notice', async (t) => {
    const results = await Promise.allSettled([add('a', 'b'), add('refused'), add('c', 'c'), add('d')])
    t.match(results, [
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: { message: 'no place' } },
      { status: 'rejected', reason: { code: url ? 'ER_DUP_ENTRY' : 'SQLITE_CONSTRAINT_PRIMARYKEY' } },
      { status: 'fulfilled', value: 1 },
    ])
    t.strictSame(await notes(), ['a', 'b', 'd'])
  })

  await t.test('what is not committed is not seen', async (t) => {
    const begun = Promise.withResolvers<void>()
    const [, seen] = await Promise.all([
      transact(database, async (transaction) => {
        await transaction('notes').insert({ value: 'e' })
        begun.resolve()
        if (url) t.notOk((await notes()).includes('e'))
      }),
      begun.promise.then(notes),
    ])
    // The transaction on a server may have ended meanwhile.
    if (!url) t.ok(seen.includes('e'), 'SQLite has one connection: others wait for it')
  })
}

t.test('SQLite', (t) => suite(t, undefined))
t.test('MariaDB', async (t) => suite(t, await server.create('notes')))

t.test('work that ends in a deadlock runs again, and a limit holds', async (t) => {
  const { add, counts, status } = await openCounts(t, server)
  const before = await status('Innodb_deadlocks')
  let changed = 0
  const both = () => {
    changed++
    return until(() => changed >= 2)
  }
  await Promise.all([add(['a', 'b'], 0, 9, both), add(['b', 'a'], 0, 9, both)])
  t.ok((await status('Innodb_deadlocks')) > before)
  t.strictSame(await counts(), [2, 2])
  await Promise.all(Array.from({ length: 20 }, () => add(['a'], 0, 5)))
  t.strictSame(await counts(), [6, 2], 'of 20, four found it below the limit')
})

t.test('a transaction that loses its connection has changed nothing', async (t) => {
  const { database, add, counts } = await openCounts(t, server)
  const lost = t.rejects(add(['a', 'b'], 5))
  const running = async (): Promise<number> => {
    const [[row]] = await database.raw(
      "select id from information_schema.processlist where info like '%update counts%' and id <> connection_id()",
    )
    return row?.id ?? running()
  }
  await database.raw(`kill ${await running()}`)
  await lost
  t.strictSame(await counts(), [0, 0])
  t.equal(await add(['a', 'b']), 'worked', 'the next one gets a connection without an open transaction')
  t.strictSame(await counts(), [1, 1])
})

t.test('a start that has nothing to migrate asks the server little, and its statements have limits', async (t) => {
  const place = { url: await server.create('started'), dataDir: t.testdir() }
  const first = await openDatabase(place)
  t.teardown(() => first.destroy())
  const asked = async () => Number((await first.raw("show global status like 'Questions'"))[0][0].Value)
  const before = await asked()
  const second = await openDatabase(place)
  t.teardown(() => second.destroy())
  // The session, knex's two tables and their rows: 12 on MariaDB 10.11. With knex's migrations there were 23.
  t.ok((await asked()) - before <= 15)
  for (const database of [first, second]) {
    const [rows] = await database.raw('select @@max_statement_time as seconds, @@idle_transaction_timeout as idle')
    t.ok(rows[0].seconds > 0, 'no statement runs for ever')
    t.ok(rows[0].idle > 0 && rows[0].idle < 10, 'no transaction outlives its service by much')
  }
})

t.test('a connection that is given up while the server hangs ends nothing else', async (t) => {
  const database = openSeparately(await server.create('given_up'), 2000)
  await ping(database)
  const connection = await database.client.acquireConnection()
  await database.client.releaseConnection(connection)
  server.pause()
  t.teardown(() => server.resume())
  // As the pool does with one that is idle.
  await database.destroy()
  await new Promise((resolve) => connection.stream.once('close', resolve))
  server.resume()
})
