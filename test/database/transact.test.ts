import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { createTransact } from '../../kernel/database/transact.ts'
import type { Work } from '../../kernel/database/work.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { openCounts } from './counts.ts'

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

const server = await startMariaDb()
t.teardown(() => server[Symbol.asyncDispose]())

t.test('on a server, a transaction of usual changes is one statement', async (t) => {
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
  const { add, counts, seen } = await openCounts(t, server)
  t.equal(await add(['a', 'c', 'b']), 'worked')
  t.strictSame(await counts(), [1, 1], 'each was counted once')
  t.strictSame(seen.slice(-3), [1, 0, 1])
})

t.test('together or in steps, work that ends in a deadlock runs again, and a limit holds', async (t) => {
  const { add, counts, status } = await openCounts(t, server)
  let deadlocks = await status('Innodb_deadlocks')
  for (const usual of [true, false]) {
    const before = await counts()
    await Promise.all([add(['a', 'b'], 1, 9, usual), add(['b', 'a'], 1, 9, usual)])
    t.strictSame(
      await counts(),
      before.map((count: number) => count + 2),
    )
    const after = await status('Innodb_deadlocks')
    t.ok(after > deadlocks, usual ? 'together' : 'in steps')
    deadlocks = after
  }
  await Promise.all(Array.from({ length: 20 }, () => add(['a'], 0, 7)))
  t.strictSame(await counts(), [8, 4], 'of 20, four found it below the limit')
})

t.test('a transaction that loses its connection has changed nothing, or the whole', async (t) => {
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

t.test('work may look at the end, when others see what it changed', async (t) => {
  const look = { sql: 'select * from notes where value <> ?', values: ['b'], look: true } as const
  const work = (usual?: number) =>
    function* (): Work<string> {
      yield { ...insert('a'), ...(usual && { usual }) }
      yield { ...insert('b'), ...(usual && { usual }) }
      return `found ${yield look}`
    }
  t.equal(await (await open(t)).transact(work()), 'found 1')
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
