import t from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'

t.test('a start that has nothing to migrate asks the server little, and its statements have limits', async (t) => {
  await using server = await startMariaDb()
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
