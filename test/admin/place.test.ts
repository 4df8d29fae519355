/** Admin commands use the data of a service, name it, and create nothing that the service cannot use. */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import t from 'tap'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { admin, run, startStub, useOnce } from '../start/program.ts'

const isRoot = process.getuid?.() === 0
const NOBODY = 65534
const folder = mkdtempSync(join(tmpdir(), 'athanor-place-'))
chmodSync(folder, 0o755)
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
let count = 0
const fresh = () => join(folder, `data-${++count}`)

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
    ['tool', 'disable', 'png-to-jpg'],
    ['migrate', 'status'],
  ]
  for (const command of commands) {
    const dataDir = fresh()
    const { code, stdout, stderr } = await admin(t, { DATA_DIR: dataDir }, ...command)
    t.match(
      { code, stdout, stderr },
      { code: 78, stdout: '', stderr: /^No service has used the data folder .*DATA_DIR/ },
    )
    t.notOk(existsSync(dataDir), command.join(' '))
  }
  const empty = fresh()
  mkdirSync(empty)
  t.equal((await admin(t, { DATA_DIR: empty }, 'maintenance', 'on')).code, 78)
  t.strictSame(readdirSync(empty), [])
})

t.test('nor does the start script create a data folder for them', { skip: !isRoot }, async (t) => {
  const dataDir = fresh()
  const npm = ['sh', 'config/run.sh', 'kernel/admin.ts', 'maintenance', 'on']
  t.match(await run(t, npm, { DATA_DIR: dataDir }).ended(), {
    code: 78,
    stderr: new RegExp(`has used .* ${dataDir} yet`),
  })
  t.notOk(existsSync(dataDir))
})

t.test('commands print the used folder, on standard error only', async (t) => {
  const dataDir = await useOnce(t, fresh())
  const said = await admin(t, { DATA_DIR: dataDir }, 'maintenance', 'on', '--json')
  t.match(said, { code: 0, stdout: '{"maintenance":true}\n', stderr: `Acting on the data folder ${dataDir}\n` })
  if (!isRoot) return
  const npm = await run(t, ['sh', 'config/run.sh', 'kernel/admin.ts', 'user', 'list'], { DATA_DIR: dataDir }).ended()
  t.match(npm, { code: 0, stderr: `Acting on the data folder ${dataDir}\n` }, 'the host’s path, not that of the mount')
})

t.test('on MariaDB: an empty database is refused, and its URL is printed without the password', async (t) => {
  await using server = await startMariaDb()
  const url = await server.create('place')
  const env = { DATABASE_URL: url, DATA_DIR: fresh() }
  const refused = await admin(t, env, 'maintenance', 'on')
  t.match(refused, { code: 78, stderr: /^No service has used the database place on \S+ yet\./ })
  const service = startStub(t, env.DATA_DIR, { env: { DATABASE_URL: url } })
  await service.ready()
  const done = await admin(t, env, 'maintenance', 'on')
  t.match(done, { code: 0, stdout: 'Maintenance is on.\n', stderr: /^Acting on the database place on \S+\n$/ })
  const { password } = new URL(url)
  t.ok(!password || !done.stderr.includes(password))
})

t.test('doctor creates no data folder', async (t) => {
  const dataDir = fresh()
  const { code, stdout } = await admin(t, { DATA_DIR: dataDir, CONFIG_FILE: '' }, 'doctor', '--json')
  t.equal(code, 0)
  t.equal(JSON.parse(stdout).configuration.dataDir, dataDir)
  t.notOk(existsSync(dataDir))
})

t.test('files that root’s commands create belong to the user of the service', { skip: !isRoot }, async (t) => {
  const dataDir = fresh()
  mkdirSync(dataDir)
  chownSync(dataDir, NOBODY, NOBODY)
  const asNobody = (command: string[]) =>
    run(t, [process.execPath, ...command], { DATA_DIR: dataDir, PORT: '0' }, { uid: NOBODY, gid: NOBODY })
  const only = ['--only', 'archive']
  const service = asNobody(['kernel/main.ts', ...only])
  await service.ready()
  service.kill('SIGKILL')
  await service.ended()
  rmSync(join(dataDir, 'probes.json'))
  const script = (...args: string[]) =>
    run(t, ['sh', 'config/run.sh', 'kernel/admin.ts', ...args], { DATA_DIR: dataDir })
  t.equal((await script('doctor').ended()).code, 0)
  t.match(await script('maintenance', 'on').ended(), { code: 0 })
  t.ok(existsSync(join(dataDir, 'probes.json')), 'doctor keeps what engines answered')
  const { stdout } = spawnSync('find', [dataDir, '!', '-user', `${NOBODY}`], { encoding: 'utf8' })
  t.equal(stdout, '', 'nothing is root’s')
  t.equal(lstatSync(dataDir).gid, NOBODY)
  const actors = query(dataDir, "select actor from audit where action = 'maintenance.on'")
  t.strictSame(actors, [{ actor: process.env.SUDO_USER ?? 'root' }], 'who gave the command is kept')
  const again = asNobody(['kernel/main.ts', ...only])
  t.ok(await again.ready(), 'and the service starts')
})

t.test('migrate', async (t) => {
  const dataDir = await useOnce(t, fresh())
  const migrate = (...args: string[]) => admin(t, { DATA_DIR: dataDir }, 'migrate', ...args)
  t.match(await migrate('status'), { code: 0, stdout: /^Applied +001-.*\nPending +none\nLock +free\n$/ })
  t.match(await migrate('unlock'), { code: 0, stdout: 'There is no lock to remove.\n' })

  query(dataDir, 'update knex_migrations_lock set is_locked = 1')
  t.match(await migrate('status'), { code: 1, stdout: /^Lock +held: .*migrate unlock$/m })
  t.match(await admin(t, { DATA_DIR: dataDir }, 'user', 'list'), { code: 78, stderr: /migrate unlock/ })
  t.match(await migrate('unlock', '--json'), { code: 0, stdout: '{"unlocked":true}\n' })
  t.match(query(dataDir, "select action, subject from audit where action = 'migrate.unlock'"), [
    { subject: 'database' },
  ])

  const service = startStub(t, dataDir)
  t.ok(await service.ready(), 'the next start works')
  query(dataDir, 'update knex_migrations_lock set is_locked = 1')
  const beside = await migrate('unlock')
  t.match(beside, { code: 78, stderr: new RegExp(`process ${service.pid} already uses `) }, 'not beside a service')
  t.match(query(dataDir, 'select is_locked from knex_migrations_lock'), [{ is_locked: 1 }])
  service.kill('SIGKILL')
  await service.ended()

  query(dataDir, 'update knex_migrations_lock set is_locked = 0')
  query(dataDir, "insert into knex_migrations (name, batch) values ('999-later', 9)")
  t.match(await migrate('status', '--json'), { code: 1, stdout: /"foreign": \[\s+"999-later"/ })
  t.match(await migrate('unlock'), { code: 78, stderr: /written by a newer version \(migration 999-later\)/ })
  query(dataDir, "delete from knex_migrations where name = '999-later'")
  const [{ name }] = query(dataDir, 'select name from knex_migrations order by id desc limit 1')
  query(dataDir, `delete from knex_migrations where name = '${name}'`)
  t.match(await migrate('status'), { code: 0, stdout: new RegExp(`^Pending +${name} `, 'm') })
  const older = await admin(t, { DATA_DIR: dataDir }, 'maintenance', 'off')
  t.match(older, {
    code: 78,
    stderr: new RegExp(
      `An older version wrote the database \\(it lacks migration ${name}\\)\\. Start the service once`,
    ),
  })
  t.match(await migrate('down'), { code: 2, stderr: /expected status, unlock/ })
})
