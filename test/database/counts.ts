import type { Test } from 'tap'
import { type Database, openDatabase } from '../../kernel/database/database.ts'
import { transact } from '../../kernel/database/transact.ts'
import type { MariaDb } from '../harness/servers/mariadb.ts'

let made = 0

/** A database with the counts a and b, which are 0, and work that adds one to them in turn. */
export async function openCounts(t: Test, server: MariaDb) {
  const name = `counts${++made}`
  const database = await openDatabase({ url: await server.create(name), dataDir: t.testdir() })
  t.teardown(() => database.destroy())
  await database.raw('create table counts (name varchar(9) primary key, count int)')
  await database.raw("insert into counts values ('a', 0), ('b', 0)")
  /**
   * @param seconds That each change takes, while it holds its row.
   * @param max A count that is larger is not changed.
   * @param then Done after each change.
   */
  const add = (names: readonly string[], seconds = 0, max = 9, then = async () => {}) =>
    transact(database, async (transaction) => {
      for (const each of names) {
        const sql = 'update counts set count = count + 1 + sleep(?) where name = ? and count <= ?'
        await transaction.raw(sql, [seconds, each, max])
        await then()
      }
      return 'worked'
    })
  const counts = () => database('counts').orderBy('name').pluck('count')
  return { name, database, add, counts, status: (variable: string) => statusOf(database, variable) }
}

async function statusOf(database: Database, name: string): Promise<number> {
  const [[row]] = await database.raw('show global status where Variable_name = ?', [name])
  return Number(row.Value)
}
