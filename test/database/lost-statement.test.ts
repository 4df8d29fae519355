/** Whether a statement of MariaDB may have been done although it failed. */
import mysql from 'mysql2/promise'
import t from 'tap'
import { hasHung, mayHaveRun } from '../../kernel/database/unavailable.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { until } from '../harness/until.ts'

t.setTimeout(300_000)

const server = await startMariaDb()
t.teardown(() => server[Symbol.asyncDispose]())
const url = await server.create('lost')
const other = await mysql.createConnection(url)
t.teardown(() => other.destroy())
await other.query('create table done (name varchar(40) primary key)')

const isDone = async (name: string) => {
  const [rows] = await other.query('select 1 from done where name = ?', [name])
  return (rows as unknown[]).length === 1
}

/** Takes minutes, and can be interrupted. */
const LONG = 'with recursive n as (select 1 as i union all select i + 1 from n where i < 1e9) select count(*) from n'

/** Commits in the middle of a statement, whose rest takes long, and interferes then. Resolves to the error. */
async function interrupt(
  name: string,
  how: (connection: number) => Promise<unknown>,
  setting = 'session lock_wait_timeout = 60',
) {
  const connection = await mysql.createConnection(url)
  connection.on('error', () => {})
  await connection.query(`set session max_recursive_iterations = 4294967295, ${setting}`)
  const [rows] = await connection.query('select connection_id() as id')
  const statement = `begin not atomic start transaction; insert into done values ('${name}'); commit; ${LONG}; end`
  const failed = connection.query(statement).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  )
  await until(() => isDone(name))
  await how((rows as { id: number }[])[0]!.id)
  const error = await failed
  connection.destroy()
  return error
}

t.test('a statement that is killed after its commit may have been done', async (t) => {
  const error = await interrupt('killed', (id) => other.query(`kill query ${id}`))
  t.equal(error?.code, 'ER_QUERY_INTERRUPTED')
  t.ok(mayHaveRun(error))
  t.notOk(hasHung(error))
})

t.test('so may one whose connection is killed', async (t) => {
  const error = await interrupt('cut', (id) => other.query(`kill connection ${id}`))
  t.ok(mayHaveRun(error))
})

t.test('so may one that takes too long, and it has made its caller wait', async (t) => {
  const error = await interrupt('slow', async () => {}, 'session max_statement_time = 0.3')
  t.equal(error?.errno, 1969)
  t.ok(mayHaveRun(error))
  t.ok(hasHung(error))
})

t.test('one that is refused was not done', async (t) => {
  const error = await other.query("insert into done values ('killed')").catch((error) => error)
  t.equal(error.code, 'ER_DUP_ENTRY')
  t.notOk(mayHaveRun(error))
})
