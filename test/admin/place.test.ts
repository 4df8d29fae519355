/** Admin commands use the data of a service, name it, and create nothing that the service cannot use. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import t from 'tap'
import { claimFolder } from '../../kernel/boot/claim.ts'
import { openDatabase } from '../../kernel/database/database.ts'
import { folderOf } from '../harness/folder.ts'
import { admin } from '../harness/inside.ts'
import { refusal, serviceOf, upload } from '../harness/service.ts'

const folder = await folderOf(t)
let count = 0
const fresh = () => join(folder, `data-${++count}`)

/** A data folder with what a service of this version leaves. */
async function usedFolder(): Promise<string> {
  const dataDir = fresh()
  mkdirSync(dataDir)
  await (await openDatabase({ url: undefined, dataDir })).destroy()
  return dataDir
}

function query(dataDir: string, statement: string): any[] {
  const database = new SQLite(join(dataDir, 'athanor.sqlite'))
  const prepared = database.prepare(statement)
  const rows = prepared.reader ? prepared.all() : [prepared.run()]
  database.close()
  return rows
}

t.test('a data folder that no service has used is refused, and nothing is created', async (t) => {
  const commands = [
    ['maintenance', 'on'],
    ['user', 'list'],
    ['migrate', 'status'],
  ]
  for (const command of commands) {
    const dataDir = fresh()
    const { code, stdout, stderr } = await admin({ DATA_DIR: dataDir }, ...command)
    t.match([code, stdout, stderr], [78, '', /^No service has used the data folder .*DATA_DIR/])
    t.notOk(existsSync(dataDir), command.join(' '))
  }
  const empty = fresh()
  mkdirSync(empty)
  t.equal((await admin({ DATA_DIR: empty }, 'maintenance', 'on')).code, 78)
  t.strictSame(readdirSync(empty), [])
})

t.test('commands print the used folder, on standard error only', async (t) => {
  const dataDir = await usedFolder()
  const said = await admin({ DATA_DIR: dataDir }, 'maintenance', 'on', '--json')
  t.match(said, { code: 0, stdout: '{"maintenance":true}\n', stderr: `Acting on the data folder ${dataDir}\n` })
  const service = await serviceOf(t, { env: { DATA_DIR: dataDir } })
  t.match(await upload(service), refusal(503, 'MAINTENANCE_MODE'), 'from the first request')
})

t.test('migrate', async (t) => {
  const dataDir = await usedFolder()
  const migrate = (...args: string[]) => admin({ DATA_DIR: dataDir }, 'migrate', ...args)
  t.match(await migrate('status'), { code: 0, stdout: /^Applied +001-.*\nPending +none\nLock +free\n$/ })
  t.match(await migrate('status', '--json'), { code: 0, stdout: /"pending": \[\],\n.*"foreign": \[\]/s })
  t.match(await migrate('unlock'), { code: 0, stdout: 'There is no lock to remove.\n' })

  query(dataDir, 'update knex_migrations_lock set is_locked = 1')
  t.match(await migrate('status'), { code: 1, stdout: /^Lock +held: .*migrate unlock$/m })
  t.match(await admin({ DATA_DIR: dataDir }, 'user', 'list'), { code: 78, stderr: /migrate unlock/ })
  t.match(await migrate('unlock', '--json'), { code: 0, stdout: '{"unlocked":true}\n' })
  t.match(query(dataDir, "select action, subject from audit where action = 'migrate.unlock'"), [
    { subject: 'database' },
  ])

  const claim = claimFolder(dataDir)
  query(dataDir, 'update knex_migrations_lock set is_locked = 1')
  const beside = await migrate('unlock')
  t.match(beside, { code: 78, stderr: new RegExp(`process ${process.pid} already uses `) }, 'not beside a service')
  t.match(query(dataDir, 'select is_locked from knex_migrations_lock'), [{ is_locked: 1 }])
  claim.release()

  query(dataDir, 'update knex_migrations_lock set is_locked = 0')
  query(dataDir, "insert into knex_migrations (name, batch) values ('999-later', 9)")
  t.match(await migrate('status', '--json'), { code: 1, stdout: /"foreign": \[\s+"999-later"/ })
  t.match(await migrate('unlock'), { code: 78, stderr: /written by a newer version \(migration 999-later\)/ })
  query(dataDir, "delete from knex_migrations where name = '999-later'")
  const [{ name }] = query(dataDir, 'select name from knex_migrations order by id desc limit 1')
  query(dataDir, `delete from knex_migrations where name = '${name}'`)
  t.match(await migrate('status'), { code: 0, stdout: new RegExp(`^Pending +${name} `, 'm') })
  const older = new RegExp(
    `An older version wrote the database \\(it lacks migration ${name}\\)\\. Start the service once`,
  )
  t.match(await admin({ DATA_DIR: dataDir }, 'maintenance', 'off'), { code: 78, stderr: older })
  t.match(await migrate('down'), { code: 2, stderr: /expected status, unlock/ })
})
