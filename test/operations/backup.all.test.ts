/**
 * Backup and restore with the commands of the operations guide, while the service runs. On MariaDB:
 * cluster-backup.all.test.ts.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { admin } from '../boot/program.ts'
import { rowsIn } from '../harness/installation.ts'
import { startAthanor } from '../harness/program.ts'
import { type Belongings, belong, findAll, finish, start } from './belongings.ts'
import { backUpFiles, backUpSqlite, emptyFolder, restoreFiles, restoreSqlite, run, usageOf } from './guide.ts'

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

t.test('a service on SQLite is backed up while it works, and restored', async (t) => {
  const folder = await emptyFolder(t)
  const [from, to] = ['old', 'new'].map((name) => join(folder, name, 'data')) as [string, string]
  const old = await startAthanor(from, config)
  t.teardown(() => old.end('SIGKILL'))
  const verify = (email: string) => admin(t, { DATA_DIR: from }, 'user', 'set', '--email', email, '--verified')
  const kept = await belong(old.base, 'ada', verify)
  const unused = await belong(old.base, 'bo', verify)
  const usage = await usageOf(old.base, unused)
  const long = await start(old.base, kept.key, kept.file, { sleep: 8000 })
  const traffic = work(old.base, kept)
  while (traffic.ids().length < 6) await finish(old.base, kept.key, traffic.ids().at(-1) ?? kept.conversion)
  const before = [long, ...traffic.ids()]
  for (const commands of [backUpSqlite, backUpFiles]) await run(t, folder, commands, { DATA_DIR: from })
  await traffic.stop()
  await old.end('SIGKILL')
  t.equal((await stat(join(folder, 'backup/athanor-backup.sqlite'))).mode & 0o077, 0, 'it is nobody else’s')

  // The files once more, as after a restore of MariaDB.
  for (const commands of [restoreSqlite, restoreFiles]) await run(t, folder, commands, { DATA_DIR: to })
  const restored = await startAthanor(to, config)
  t.teardown(() => restored.end('SIGKILL'))
  const today = await usageOf(restored.base, unused)
  if (today.day === usage.day) t.same(today, usage, 'quotas are what they were')
  for (const id of before)
    t.match(await finish(restored.base, kept.key, id), { status: 'completed' }, 'what was accepted before is done')
  await findAll(t, restored.base, kept)
  await findAll(t, restored.base, unused)
  t.equal(await restored.end('SIGTERM'), 0)
  const conversions = rowsIn(to)
  const files = rowsIn(to, 'files')
  const sum = (rows: any[], column: string) => rows.reduce((total, row) => total + (row[column] ?? 0), 0)
  t.ok(conversions.every(({ status }) => ['completed', 'failed'].includes(status)))
  t.equal(sum(rowsIn(to, 'quota_use'), 'conversions'), conversions.length, 'each conversion is charged once')
  const stored = sum(files, 'size') + sum(conversions, 'output_size')
  t.equal(sum(rowsIn(to, 'stored_bytes'), 'bytes'), stored, 'stored bytes match the records')
})
