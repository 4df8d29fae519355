import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import mysql, { type RowDataPacket } from 'mysql2/promise'
import t, { type Test } from 'tap'
import { type Database, openDatabase } from '../../kernel/database/database.ts'
import { serverOf } from '../../kernel/database/server.ts'
import { createTransact } from '../../kernel/database/transact.ts'
import { isUnavailable } from '../../kernel/database/unavailable.ts'
import type { Work } from '../../kernel/database/work.ts'
import { type MariaDb, startMariaDb } from '../harness/servers/mariadb.ts'

const insert = (value: string) => ({ sql: 'insert into notes (value) values (?)', values: [value] })

async function open(t: Test) {
  const dataDir = t.testdir()
  const database = await openDatabase({ url: undefined, dataDir })
  t.teardown(() => database.destroy())
  await database.raw('create table notes (value text primary key)')
  const reader = new SQLite(join(dataDir, 'athanor.sqlite'), { readonly: true })
  t.teardown(() => reader.close())
  const notes = () => reader.prepare('select value from notes order by value').pluck().all()
  return { database, transact: createTransact(database), notes }
}

t.test('work that is due at the same time shares a commit', async (t) => {
  const { transact, notes } = await open(t)
  const during: unknown[] = []
  const after = await Promise.all(
    ['a', 'b', 'c'].map(async (value) => {
      await transact(function* (): Work {
        yield insert(value)
        during.push(notes())
      })
      return notes()
    }),
  )
  t.strictSame(during, [[], [], []], 'nothing is committed before all have worked')
  const all = ['a', 'b', 'c']
  t.strictSame(after, [all, all, all])
})

t.test('work resolves only if its commit succeeds', async (t) => {
  const { database, transact } = await open(t)
  await database.raw('create table replies (note text references notes (value) deferrable initially deferred)')
  const reply = (note: string) =>
    transact(function* (): Work {
      yield { sql: 'insert into replies (note) values (?)', values: [note] }
    })
  await transact(function* (): Work {
    yield insert('a')
  })
  const results = await Promise.allSettled([reply('a'), reply('missing'), reply('a')])
  t.match(results, [
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } },
    { status: 'fulfilled' },
  ])
  t.equal((await database('replies').select()).length, 2)
})

t.test('one that fails takes back only what it did itself', async (t) => {
  const { transact, notes } = await open(t)
  const work = (...values: string[]) =>
    transact(function* (): Work<number> {
      let changed = 0
      for (const value of values) changed += yield insert(value)
      return changed
    })
  const refused = transact(function* (): Work {
    yield insert('refused')
    throw new Error('no place')
  })
  const results = await Promise.allSettled([work('a', 'b'), refused, work('c', 'a'), work('d')])
  t.match(results, [
    { status: 'fulfilled', value: 2 },
    { status: 'rejected', reason: { message: 'no place' } },
    { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' } },
    { status: 'fulfilled', value: 1 },
  ])
  t.strictSame(notes(), ['a', 'b', 'd'])
})

t.test('if all must be taken back because of one, each of the others runs alone', async (t) => {
  const { database, transact, notes } = await open(t)
  // As a full disk does, this error ends the whole transaction.
  await database.raw(
    "create trigger ends before insert on notes when new.value = 'full' begin select raise(rollback, 'full'); end",
  )
  const work = (value: string) =>
    transact(function* (): Work {
      yield insert(value)
    })
  const results = await Promise.allSettled([work('a'), work('full'), work('b')])
  t.match(results, [
    { status: 'fulfilled' },
    { status: 'rejected', reason: { message: 'full' } },
    { status: 'fulfilled' },
  ])
  t.strictSame(notes(), ['a', 'b'])
})

t.test('after the database was closed, work is refused', async (t) => {
  const { database, transact } = await open(t)
  await database.destroy()
  await t.rejects(
    transact(function* (): Work {
      yield insert('late')
    }),
  )
})

t.test('on a server, work that ends in a deadlock runs again', async (t) => {
  await using server = await startMariaDb()
  const database = await openDatabase({ url: await server.create('deadlock'), dataDir: t.testdir() })
  t.teardown(() => database.destroy())
  await database.raw('create table counts (name varchar(9) primary key, count int)')
  await database.raw("insert into counts values ('a', 0), ('b', 0)")
  const transact = createTransact(database)
  let runs = 0
  const both = (first: string, second: string) =>
    transact(function* (): Work {
      runs++
      for (const name of [first, second]) {
        yield { sql: 'update counts set count = count + 1 where name = ?', values: [name] }
        // Both hold a row before either wants the other one.
        yield { sql: 'do sleep(?)', values: [1] }
      }
    })
  await Promise.all([both('a', 'b'), both('b', 'a')])
  t.ok(runs > 2, 'one of them ran again')
  t.strictSame(await database('counts').orderBy('name').pluck('count'), [2, 2])
})

/** A server with the counts a and b, which are 0, and work that adds one to them in turn. */
async function openCounts(t: Test, server: MariaDb) {
  const database = await openDatabase({ url: await server.create('counts'), dataDir: t.testdir() })
  t.teardown(() => database.destroy())
  await database.raw('create table counts (name varchar(9) primary key, count int)')
  await database.raw("insert into counts values ('a', 0), ('b', 0)")
  const transact = createTransact(database)
  const seen: number[] = []
  /** @param seconds That each change takes, while it holds its row. @param most A count that is larger is not changed. */
  const add = (names: readonly string[], seconds = 0, most = 9) =>
    transact(function* (): Work<string> {
      for (const name of names) {
        const sql = 'update counts set count = count + 1 + sleep(?) where name = ? and count <= ?'
        seen.push(yield { sql, values: [seconds, name, most], usual: 1 })
      }
      return 'worked'
    })
  const counts = () => database('counts').orderBy('name').pluck('count')
  return { database, add, counts, seen, status: (name: string) => statusOf(database, name) }
}

async function statusOf(database: Database, name: string): Promise<number> {
  const [[row]] = await database.raw('show global status where Variable_name = ?', [name])
  return Number(row.Value)
}

t.test('on a server, a transaction of usual changes is one statement', async (t) => {
  await using server = await startMariaDb()
  const { add, counts, status } = await openCounts(t, server)
  await add(['a'])
  const [before, commits] = [await status('Questions'), await status('Com_commit')]
  t.equal(await add(['a', 'b']), 'worked')
  t.equal((await status('Com_commit')) - commits, 1)
  // The three others read these numbers.
  t.equal((await status('Questions')) - before, 4)
  t.strictSame(await counts(), [2, 1])
})

t.test('if a change matches an unusual number of rows, the work starts over and learns the number', async (t) => {
  await using server = await startMariaDb()
  const { add, counts, seen } = await openCounts(t, server)
  t.equal(await add(['a', 'c', 'b']), 'worked')
  t.strictSame(await counts(), [1, 1], 'each was counted once')
  t.strictSame(seen.slice(-3), [1, 0, 1])
})

t.test('together or in steps, work that ends in a deadlock runs again, and a limit holds', async (t) => {
  await using server = await startMariaDb()
  const { add, counts, status } = await openCounts(t, server)
  await Promise.all([add(['a', 'b'], 1), add(['b', 'a'], 1)])
  t.strictSame(await counts(), [2, 2])
  t.ok((await status('Innodb_deadlocks')) > 0)
  await Promise.all(Array.from({ length: 20 }, () => add(['a'], 0, 5)))
  t.strictSame(await counts(), [6, 2], 'of 20, four found it below the limit')
})

t.test('a transaction that loses its connection has changed nothing, or the whole', async (t) => {
  await using server = await startMariaDb()
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

t.test('a transaction that is refused because writes are blocked is not done afterwards', async (t) => {
  await using server = await startMariaDb()
  const { database, add, counts } = await openCounts(t, server)
  await database.raw('create table others (name varchar(9) primary key, count int)')
  await database.raw("insert into others values ('a', 0)")
  const blocker = await mysql.createConnection(serverOf(await server.create('blocker')))
  t.teardown(() => blocker.end())
  const refused = async (...work: (() => Promise<unknown>)[]) => {
    const ends = await Promise.all(work.map((run) => run().then(String, (error) => error)))
    for (const end of ends) t.ok(isUnavailable(end), `${end}`)
  }
  /** Waits until the server does nothing for the service. */
  const idle = async (): Promise<void> => {
    const busy = "select 1 from information_schema.processlist where db = 'counts' and info is not null"
    const [rows] = await blocker.query<RowDataPacket[]>(busy)
    if (rows.length) await idle()
  }
  const together = () => add(['a', 'b'])
  const inSteps = () =>
    createTransact(database)(function* (): Work {
      yield { sql: 'update counts set count = count + 1 where name = ?', values: ['b'] }
    })
  const alone = () => database('others').increment('count')
  const untouched = async (how: string) => {
    await idle()
    t.strictSame([await counts(), await database('others').pluck('count')], [[0, 0], [0]], how)
  }

  await blocker.query('begin')
  await blocker.query("update counts.counts set count = 9 where name in ('a', 'b')")
  await blocker.query('update counts.others set count = 9')
  await refused(together, inSteps, alone)
  await blocker.query('rollback')
  await untouched('rows')

  await blocker.query('lock tables counts.counts read, counts.others read')
  await refused(together, inSteps, alone)
  await blocker.query('unlock tables')
  await untouched('tables')

  await blocker.query('flush tables with read lock')
  await refused(together, inSteps, alone)
  await blocker.query('unlock tables')
  await untouched('the server')

  t.equal(await together(), 'worked')
  await inSteps()
  t.strictSame(await counts(), [1, 2])
})

t.test('work may look at the end, when others see what it changed', async (t) => {
  const look = { sql: 'select * from notes where value <> ?', values: ['b'], look: true } as const
  const work = (usual?: number) =>
    function* (): Work<string> {
      yield { ...insert('a'), ...(usual && { usual }) }
      yield { ...insert('b'), ...(usual && { usual }) }
      return `found ${yield look}`
    }
  t.equal(await (await open(t)).transact(work()), 'found 1')
  await using server = await startMariaDb()
  const database = await openDatabase({ url: await server.create('look'), dataDir: t.testdir() })
  t.teardown(() => database.destroy())
  await database.raw('create table notes (value varchar(9))')
  const transact = createTransact(database)
  t.equal(await transact(work(1)), 'found 1', 'together')
  t.equal(await transact(work()), 'found 2', 'in steps')
  t.equal(await transact(work(2)), 'found 3', 'together, then in steps')
  const both = function* (): Work {
    yield look
    yield insert('late')
  }
  await t.rejects(transact(both), /must be the last/)
})

t.test('a server that stops or hangs leaves no half of a transaction, and later ones work', async (t) => {
  await using server = await startMariaDb()
  const { add, counts } = await openCounts(t, server)
  await add(['a', 'b'])
  await server.stop()
  t.ok(isUnavailable(await add(['a', 'b']).catch((error) => error)), 'while it is down')
  await server.start()
  t.equal(await add(['a', 'b']), 'worked')
  t.strictSame(await counts(), [2, 2])
  server.pause()
  t.ok(isUnavailable(await add(['a', 'b']).catch((error) => error)), 'while it hangs')
  server.resume()
  t.equal(await add(['a', 'b']), 'worked')
  const [a, b] = await counts()
  t.equal(a, b, 'the one without an answer was done as a whole, or not at all')
})
