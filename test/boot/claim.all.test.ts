/** One data folder, one service. */
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import t from 'tap'
import { serverOf } from '../../kernel/database/server.ts'
import { folderOf } from '../harness/folder.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { until } from '../harness/until.ts'
import { admin, startStub } from './program.ts'

const folder = await folderOf(t)
const dataDir = join(folder, 'data')

t.test('of several concurrent starts, one succeeds', async (t) => {
  const all = Array.from({ length: 4 }, () => startStub(t, dataDir))
  const outcomes = await Promise.allSettled(all.map((program) => program.ready()))
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  const winner = all[outcomes.findIndex(({ status }) => status === 'fulfilled')]!
  for (const loser of all.filter((program) => program !== winner)) {
    t.match(await loser.ended(), { code: 78, stderr: new RegExp(`process ${winner.pid} already uses`) })
  }
})

t.test('one database on a server, one service', { timeout: 900_000 }, async (t) => {
  await using server = await startMariaDb()
  const DATABASE_URL = await server.create('shared')
  const start = (name: string) => startStub(t, join(folder, name), { env: { DATABASE_URL } })
  const first = start('one')
  await first.ready()

  const second = await start('two').ended()
  t.equal(second.code, 78)
  t.match(
    second.stderr,
    /^DATABASE_URL: another service \(on localhost\) already uses this database\. Stop it first, .*\n$/,
  )
  t.match(await admin(t, { DATA_DIR: join(folder, 'two'), DATABASE_URL }, 'migrate', 'unlock'), { code: 78 })
  first.kill('SIGKILL')
  await first.ended()
  const third = start('two')
  t.ok(await third.ready(), 'a killed service leaves no claim behind')

  third.kill('SIGSTOP')
  const fourth = start('one')
  // Longer than the service would wait for a living one.
  await until(() => fourth.stdout().split('waiting for the service').length > 2)
  third.kill('SIGKILL')
  t.ok(await fourth.ready(), 'one that is silent is waited for: its machine may be gone')

  await server.stop()
  await server.start()
  // The lock ended with the server. The service takes it again when the server is back.
  await claimed(DATABASE_URL)
  t.match(await start('two').ended(), { code: 78, stderr: /another service/ }, 'the claim survives the server')
  fourth.kill('SIGTERM')
  t.match(await fourth.ended(), { code: 0 })
})

/** Resolves when somebody holds the lock of a database. */
async function claimed(url: string): Promise<void> {
  const connection = await mysql.createConnection(serverOf(url))
  await until(async () => {
    const [rows] = await connection.query("select is_used_lock(concat('athanor:', md5(database()))) as id")
    return (rows as { id: number | null }[])[0]!.id !== null
  })
  await connection.end()
}
