/** Backup and restore with the commands of the operations guide, while the service runs. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import mysql from 'mysql2/promise'
import t, { type Test } from 'tap'
import { serverOf } from '../../kernel/database/server.ts'
import { type Service, startAthanor } from '../harness/program.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { type Belongings, belong, findAll, finish, start } from './belongings.ts'
import {
  backUpFiles,
  backUpServer,
  backUpSqlite,
  clientSettings,
  emptyFolder,
  restoreFiles,
  restoreServer,
  restoreSqlite,
  run,
  usageOf,
} from './guide.ts'

const limits = { apiKeys: 3, pendingJobs: null, conversionsPerDay: null }
const config = { plans: { free: limits }, queue: { workers: 2 } }

/** Starts and ends conversions until it is stopped. Resolves to the ids of those that it had started. */
function work(base: string, { key, file }: Belongings) {
  const ids: string[] = []
  let stopped = false
  const worker = async () => {
    while (!stopped) {
      const id = await start(base, key, file)
      ids.push(id)
      await finish(base, key, id)
    }
  }
  const workers = [worker(), worker()]
  return {
    ids: () => [...ids],
    async stop() {
      stopped = true
      await Promise.all(workers)
    },
  }
}

/** Makes a service work, and backs it up meanwhile. */
async function backUp(t: Test, old: Service, commands: () => Promise<void>) {
  t.teardown(() => old.end('SIGKILL'))
  const kept = await belong(old.base, 'ada@example.org')
  const unused = await belong(old.base, 'bo@example.org')
  const usage = await usageOf(old.base, unused)
  const long = await start(old.base, kept.key, kept.file, { sleep: 8000 })
  const traffic = work(old.base, kept)
  while (traffic.ids().length < 6) await finish(old.base, kept.key, traffic.ids().at(-1) ?? kept.conversions[0]!.id)
  const before = [long, ...traffic.ids()]
  await commands()
  await traffic.stop()
  await old.end('SIGKILL')
  return { kept, unused, usage, before }
}

/** Finds everything in the restored service. `total` asks its database for one number. */
async function compare(
  t: Test,
  service: Service,
  { kept, unused, usage, before }: Awaited<ReturnType<typeof backUp>>,
  total: (sql: string) => Promise<number>,
): Promise<void> {
  t.teardown(() => service.end('SIGKILL'))
  const today = await usageOf(service.base, unused)
  if (today.day === usage.day) t.same(today, usage, 'quotas are what they were')
  for (const id of before)
    t.match(await finish(service.base, kept.key, id), { status: 'completed' }, 'what was accepted before is done')
  await findAll(t, service.base, kept)
  await findAll(t, service.base, unused)
  t.equal(await service.end('SIGTERM'), 0)
  const pending = "select count(*) from conversions where status not in ('completed', 'failed')"
  t.equal(await total(pending), 0)
  t.equal(
    await total('select sum(conversions) from quota_use'),
    await total('select count(*) from conversions'),
    'each conversion is charged once, whenever the backup was made',
  )
  t.equal(
    await total('select sum(bytes) from stored_bytes'),
    (await total('select sum(size) from files')) + (await total('select sum(output_size) from conversions')),
    'stored bytes match the records',
  )
}

t.test('SQLite', async (t) => {
  const folder = await emptyFolder(t)
  const dataDirs = ['old', 'new'].map((name) => join(folder, name, 'data')) as [string, string]
  const env = { DATA_DIR: dataDirs[0] }
  const past = await backUp(t, await startAthanor(dataDirs[0], config), async () => {
    await run(t, folder, backUpSqlite, env)
    await run(t, folder, backUpFiles, env)
  })
  t.equal((await stat(join(folder, 'backup/athanor-backup.sqlite'))).mode & 0o077, 0, 'it is nobody else’s')
  await run(t, folder, restoreSqlite, { DATA_DIR: dataDirs[1] })
  await compare(t, await startAthanor(dataDirs[1], config), past, async (sql) => {
    const database = new Database(join(dataDirs[1], 'athanor.sqlite'), { readonly: true })
    const number = database.prepare(sql).pluck().get()
    database.close()
    return Number(number)
  })
})

t.test('MariaDB', async (t) => {
  const folder = await emptyFolder(t)
  const dataDirs = ['old', 'new'].map((name) => join(folder, name, 'data')) as [string, string]
  await using before = await startMariaDb()
  const old = await before.create('athanor')
  const env = { ...(await clientSettings(join(folder, 'old'), old)), DATA_DIR: dataDirs[0] }
  const past = await backUp(t, await startAthanor(dataDirs[0], config, { DATABASE_URL: old }), async () => {
    await run(t, folder, backUpServer, env)
    await run(t, folder, backUpFiles, env)
  })
  await before.stop()

  await using after = await startMariaDb()
  const url = await after.create('athanor')
  const to = { ...(await clientSettings(join(folder, 'new'), url)), DATA_DIR: dataDirs[1] }
  await run(t, folder, restoreServer, to)
  await run(t, folder, restoreFiles, to)
  await compare(t, await startAthanor(dataDirs[1], config, { DATABASE_URL: url }), past, async (sql) => {
    const connection = await mysql.createConnection(serverOf(url))
    try {
      const [[row]] = await connection.query<mysql.RowDataPacket[]>(sql)
      return Number(Object.values(row!)[0])
    } finally {
      await connection.end()
    }
  })
})
