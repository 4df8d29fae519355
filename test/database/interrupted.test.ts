/** Starts that end in the middle of a migration on a server, whose changes of the schema are no transaction. */
import knexPackage, { type Knex } from 'knex'
import t from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { migrationNames } from '../../kernel/database/migrations.ts'
import { readSchema, unlockSchema } from '../../kernel/database/schema-state.ts'
import { serverOf } from '../../kernel/database/server.ts'
import { startFaultyDatabase } from '../services/faulty-database.ts'
import { startMariaDb } from '../services/mariadb.ts'

const createKnex = knexPackage as unknown as (config: Knex.Config) => Knex

/** Statements that change the schema, or rows in a migration. */
const CHANGE = /^(create|alter|drop|insert|update)\b/i

t.test('whatever a start had changed when it was killed, the next one finishes', { timeout: 600_000 }, async (t) => {
  await using servers = new AsyncDisposableStack()
  const server = servers.use(await startMariaDb())
  const dataDir = t.testdir()
  const connect = (url: string) =>
    createKnex({ client: 'mysql2', connection: serverOf(url) as Knex.MySql2ConnectionConfig })
  /** All columns and indexes. */
  async function schemaOf(url: string): Promise<object[]> {
    const database = connect(url)
    const [columns] = await database.raw(
      `select table_name, column_name, column_type, is_nullable, column_default, extra from information_schema.columns
       where table_schema = database() order by 1, 2`,
    )
    const [indexes] = await database.raw(
      `select table_name, index_name, seq_in_index, column_name, non_unique from information_schema.statistics
       where table_schema = database() order by 1, 2, 3`,
    )
    await database.destroy()
    return [...columns, ...indexes].map((row) => ({ ...row }))
  }

  const whole = await server.create('whole')
  await openDatabase({ url: whole, dataDir }).then((database) => database.destroy())

  const url = await server.create('interrupted')
  const proxy = servers.use(await startFaultyDatabase(url))
  const direct = connect(url)
  servers.defer(() => direct.destroy())
  const seen = new Set<string>()
  let lives = 0
  for (let done = false; !done; lives++) {
    // Each life ends after one change that no life before it has made.
    let over = false
    proxy.answered = (statement) => {
      // Without times and numbers, which differ.
      const sql = statement.replace(/values \(.*'(\d+-[\w-]+)'\)$/, '$1')
      if (over || !CHANGE.test(sql) || /knex_migrations_lock/.test(sql) || seen.has(sql)) return
      seen.add(sql)
      over = true
      proxy.setAway(true)
    }
    await openDatabase({ url: proxy.url, dataDir }).then(
      async (database) => {
        done = true
        await database.destroy()
      },
      (error) => {
        if (!over) throw error
      },
    )
    proxy.setAway(false)
    if ((await readSchema(direct)).locked) await unlockSchema(direct)
    if (lives > 300) throw new Error('it does not end')
  }
  t.ok(lives > migrationNames.length * 2, `${lives} starts`)
  t.strictSame((await readSchema(direct)).pending, [])
  t.strictSame(await schemaOf(url), await schemaOf(whole))
})
