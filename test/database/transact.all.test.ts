/** Transactions on a server that blocks writes. That it stops or hangs: test/cluster. */
import mysql, { type RowDataPacket } from 'mysql2/promise'
import t from 'tap'
import { isUnavailable } from '../../kernel/database/errors.ts'
import { serverOf } from '../../kernel/database/server.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { openCounts } from './counts.ts'

t.test('a transaction that is refused because writes are blocked is not done afterwards', async (t) => {
  await using server = await startMariaDb()
  const { name, database, add, counts } = await openCounts(t, server)
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
    const busy = `select 1 from information_schema.processlist where db = '${name}' and info is not null`
    const [rows] = await blocker.query<RowDataPacket[]>(busy)
    if (rows.length) await idle()
  }
  const both = () => add(['a', 'b'])
  const alone = () => database('others').increment('count')
  const untouched = async (how: string) => {
    await idle()
    t.strictSame([await counts(), await database('others').pluck('count')], [[0, 0], [0]], how)
  }

  await blocker.query('begin')
  await blocker.query(`update ${name}.counts set count = 9 where name in ('a', 'b')`)
  await blocker.query(`update ${name}.others set count = 9`)
  await refused(both, alone)
  await blocker.query('rollback')
  await untouched('rows')
  for (const lock of [`lock tables ${name}.counts read, ${name}.others read`, 'flush tables with read lock']) {
    await blocker.query(lock)
    await refused(both, alone)
    await blocker.query('unlock tables')
    await untouched(lock)
  }
  t.equal(await both(), 'worked')
  t.strictSame(await counts(), [1, 1])
})
