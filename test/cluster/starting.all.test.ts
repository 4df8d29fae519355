/** Nodes that start on an empty database, at the same moment, or after one that was killed while it made the schema. */
import t, { type Test } from 'tap'
import { admin, run } from '../boot/program.ts'
import { startCluster } from '../harness/nodes.ts'
import { otherVersion } from '../harness/other-version.ts'
import { until } from '../harness/until.ts'

const WAITS = /"host":"localhost".*"waiting for the service that holds the database"/

t.test('starts on an empty database', { timeout: 900_000 }, async (t) => {
  const cluster = await startCluster(t)

  /** Starts the service without waiting for it. */
  async function start(t: Test, env: NodeJS.ProcessEnv) {
    const DATA_DIR = await cluster.dataDir()
    return run(t, [process.execPath, 'kernel/main.ts'], { ...cluster.env, DATA_DIR, PORT: '0', ...env })
  }

  /** Starts it, and kills it when its first migration has made a table. */
  async function kill(t: Test, table: string): Promise<void> {
    const sql = [`create table ${table} (id int)`, 'select sleep(3600)']
    const program = await start(t, otherVersion('0.0.9', { sql, first: true }))
    const made = `select count(*) from information_schema.tables where table_name = '${table}'`
    await until(async () => (await cluster.count(made)) === 1)
    program.kill('SIGKILL')
    t.equal((await program.ended()).signal, 'SIGKILL')
    // The lock that its connection held ends with the process; the statement that it waited for does not.
    await until(async () => (await cluster.count("select is_used_lock(concat('athanor:', md5(database())))")) === 0)
    for (const { id } of await cluster.rows(
      "select id from information_schema.processlist where info like 'select sleep%'",
    ))
      await cluster.rows(`kill ${id}`)
  }

  /** A start refuses until an administrator has removed the lock. */
  async function release(t: Test): Promise<void> {
    const refused = await (await start(t, {})).ended()
    t.match(refused, { code: 78, stderr: /^The database is locked: .* npm run admin -- migrate unlock\.$/m })
    const migrate = async (action: string) =>
      admin(t, { ...cluster.env, DATA_DIR: await cluster.dataDir() }, 'migrate', action)
    t.match(await migrate('status'), { code: 1, stdout: /^Lock +held: /m })
    t.match(await migrate('unlock'), { code: 0, stdout: /^Removed the lock\./ })
    t.match(await migrate('unlock'), { code: 0, stdout: 'There is no lock to remove.\n' })
  }

  await t.test('one that was killed in its first migration leaves a lock, which one command removes', async (t) => {
    await kill(t, 'half_of_the_first')
    await release(t)
    t.strictSame(await cluster.rows('select name from knex_migrations'), [], 'nothing is recorded')
    const interrupted = await (await start(t, {})).ended()
    const message = /^DATABASE_URL: the database has tables of a start that was interrupted \(half_of_the_first\)\./m
    t.match(interrupted, { code: 78, stderr: message })
    await cluster.rows('drop table half_of_the_first')
  })

  await t.test(
    'of several that start at once, one makes the schema, and the others say who they wait for',
    async (t) => {
      const slow = otherVersion('0.0.9', { sql: ['do sleep(12)'] })
      const nodes = await Promise.all([cluster.node({}, slow), cluster.node({}, slow), cluster.node({}, slow)])
      t.ok(nodes.filter((node) => WAITS.test(node.log())).length >= 2)
      const { fileId } = await nodes[0]!.upload('STUB\ntext', 'a.stub')
      for (const node of nodes) t.match(await node.finish(await node.start(fileId, 'bust')), { status: 'completed' })
      t.equal(await cluster.count('select count(*) - count(distinct name) from knex_migrations'), 0)
      await Promise.all(nodes.map((node) => node.end('SIGTERM')))
      await cluster.rows("delete from knex_migrations where name = '999-other'")
    },
  )
})

t.test('a database of another program is refused, and stays as it is', { timeout: 300_000 }, async (t) => {
  const cluster = await startCluster(t)
  await cluster.rows('create table files (id int)')
  for (const _ of [1, 2]) {
    const DATA_DIR = await cluster.dataDir()
    const program = run(t, [process.execPath, 'kernel/main.ts'], { ...cluster.env, DATA_DIR, PORT: '0' })
    t.match(await program.ended(), {
      code: 78,
      stderr: /^DATABASE_URL: the database has tables of another program \(files\)\. Create an empty database .*\n$/,
    })
  }
  t.match(await cluster.rows('show tables'), { length: 1 })
})
