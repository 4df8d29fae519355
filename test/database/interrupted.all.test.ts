/** Starts that end in the middle of a migration on a server, whose changes of the schema are no transaction. */
import knexPackage, { type Knex } from 'knex'
import t, { type Test } from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { migrationNames } from '../../kernel/database/migrations.ts'
import { readSchema, unlockSchema } from '../../kernel/database/schema-state.ts'
import { serverOf } from '../../kernel/database/server.ts'
import { restoreBeforeNodes } from '../fixtures/before-nodes.ts'
import { startFaultyDatabase } from '../harness/servers/faulty-database.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'

const createKnex = knexPackage as unknown as (config: Knex.Config) => Knex

/** Statements that change the schema, or rows in a migration. */
const CHANGE = /^(create|alter|drop|insert|update)\b/i

/** What a database holds when the first start migrates it. */
const BEFORE = {
  nothing: async () => {},
  'what the version before nodes left behind': restoreBeforeNodes,
}

for (const [before, fill] of Object.entries(BEFORE)) {
  t.test(`of a database with ${before}`, { timeout: 600_000 }, (t) => finishes(t, fill))
}

/** Whatever a start had changed when it was killed, the next one finishes. @param fill Fills an empty database. */
async function finishes(t: Test, fill: (url: string) => Promise<void>): Promise<void> {
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

  /** All rows, without those that say when the schema was migrated. */
  async function rowsOf(url: string): Promise<Record<string, unknown[]>> {
    const database = connect(url)
    const [tables] = await database.raw('show tables')
    const names = tables.flatMap(Object.values).filter((name: string) => !name.startsWith('knex_'))
    const rows: Record<string, unknown[]> = {}
    for (const name of names) rows[name] = (await database(name)).map((row: object) => JSON.stringify(row)).sort()
    await database.destroy()
    return rows
  }

  const whole = await server.create('whole')
  await fill(whole)
  await openDatabase({ url: whole, dataDir }).then((database) => database.destroy())

  const url = await server.create('interrupted')
  await fill(url)
  const proxy = servers.use(await startFaultyDatabase(url))
  const direct = connect(url)
  servers.defer(() => direct.destroy())
  const made = (await readSchema(direct)).applied.length
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
  // Each migration has a change of its own, and is recorded.
  t.ok(lives > (migrationNames.length - made) * 2, `${lives} starts`)
  t.strictSame((await readSchema(direct)).pending, [])
  t.strictSame(await schemaOf(url), await schemaOf(whole))
  t.strictSame(await rowsOf(url), await rowsOf(whole))
}
