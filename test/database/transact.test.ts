import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { createTransact, type Work } from '../../kernel/database/transact.ts'

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
  const seen = await Promise.all(
    ['a', 'b', 'c'].map(async (value) => {
      await transact(function* (): Work {
        yield insert(value)
      })
      return notes()
    }),
  )
  // Each resolves after its commit, and sees what was committed with it.
  t.strictSame(seen, [
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
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
