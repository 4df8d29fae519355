/** Nodes that start on an empty database, at the same moment, or after one that was killed while it made the schema. */
import t from 'tap'
import { admin, run } from '../boot/program.ts'
import { startCluster } from '../harness/nodes.ts'
import { otherVersion } from '../harness/other-version.ts'
import { until } from '../harness/until.ts'

const WAITS = /"host":"localhost".*"waiting for the service that holds the database"/

t.setTimeout(900_000)

const cluster = await startCluster(t)

/** Starts the service without waiting for it. */
async function start(env: NodeJS.ProcessEnv = {}) {
  const DATA_DIR = await cluster.dataDir()
  return run(t, [process.execPath, 'kernel/main.ts'], { ...cluster.env, DATA_DIR, PORT: '0', ...env })
}

t.test('a database of another program is refused, and stays as it is', async (t) => {
  await cluster.rows('create table files (id int)')
  const stderr = /^DATABASE_URL: the database has tables of another program \(files\)\. Create an empty database .*\n$/
  for (const _ of [1, 2]) t.match(await (await start()).ended(), { code: 78, stderr })
  t.match(await cluster.rows('show tables'), { length: 1 })
  await cluster.rows('drop table files')
})

t.test('one that was killed in its first migration leaves a lock, which one command removes', async (t) => {
  const sql = ['create table half_of_the_first (id int)', 'select sleep(3600)']
  const program = await start(otherVersion('0.0.9', { sql, first: true }))
  const made = "select count(*) from information_schema.tables where table_name = 'half_of_the_first'"
  await until(async () => (await cluster.count(made)) === 1)
  program.kill('SIGKILL')
  await program.ended()
  // The lock that its connection held ends with the process; the statement that it waited for does not.
  await until(async () => (await cluster.count("select is_used_lock(concat('athanor:', md5(database())))")) === 0)
  const sleeping = "select id from information_schema.processlist where info like 'select sleep%'"
  for (const { id } of await cluster.rows(sleeping)) await cluster.rows(`kill ${id}`)

  const locked = /^The database is locked: .* npm run admin -- migrate unlock\.$/m
  t.match(await (await start()).ended(), { code: 78, stderr: locked })
  const migrate = async (action: string) =>
    admin(t, { ...cluster.env, DATA_DIR: await cluster.dataDir() }, 'migrate', action)
  t.match(await migrate('status'), { code: 1, stdout: /^Lock +held: /m })
  t.match(await migrate('unlock'), { code: 0, stdout: /^Removed the lock\./ })
  t.match(await migrate('unlock'), { code: 0, stdout: 'There is no lock to remove.\n' })
  t.strictSame(await cluster.rows('select name from knex_migrations'), [], 'nothing is recorded')
  const stderr = /^DATABASE_URL: the database has tables of a start that was interrupted \(half_of_the_first\)\./m
  t.match(await (await start()).ended(), { code: 78, stderr })
  await cluster.rows('drop table half_of_the_first')
})

t.test('of several that start at once, one makes the schema, and the others say who they wait for', async (t) => {
  const slow = otherVersion('0.0.9', { sql: ['do sleep(12)'] })
  const nodes = await Promise.all([cluster.node({}, slow), cluster.node({}, slow), cluster.node({}, slow)])
  t.ok(nodes.filter((node) => WAITS.test(node.log())).length >= 2)
  const { fileId } = await nodes[0]!.upload('STUB\ntext', 'a.stub')
  for (const node of nodes) t.match(await node.finish(await node.start(fileId, 'bust')), { status: 'completed' })
  t.equal(await cluster.count('select count(*) - count(distinct name) from knex_migrations'), 0)
})
