/** Admin commands by their start script, on a server, and for a service of another user. */
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import t from 'tap'
import { admin, run, startStub } from '../boot/program.ts'
import { folderOf } from '../harness/folder.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'

const isRoot = process.getuid?.() === 0
const NOBODY = 65534
const folder = await folderOf(t)
let count = 0
const fresh = () => join(folder, `data-${++count}`)
const script = (dataDir: string, ...args: string[]) =>
  run(t, ['sh', 'config/run.sh', 'kernel/admin.ts', ...args], { DATA_DIR: dataDir }).ended()

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
  t.equal((await script(dataDir, 'doctor')).code, 0)
  t.equal((await script(dataDir, 'maintenance', 'on')).code, 0)
  t.ok(existsSync(join(dataDir, 'probes.json')), 'doctor keeps what engines answered')
  const { stdout } = spawnSync('find', [dataDir, '!', '-user', `${NOBODY}`], { encoding: 'utf8' })
  t.equal(stdout, '', 'nothing is root’s')
  t.equal(lstatSync(dataDir).gid, NOBODY)
  const database = new SQLite(join(dataDir, 'athanor.sqlite'))
  const actors = database.prepare("select actor from audit where action = 'maintenance.on'").all()
  database.close()
  t.strictSame(actors, [{ actor: process.env.SUDO_USER ?? 'root' }], 'who gave the command is kept')
  const again = asNobody(['kernel/main.ts', ...only])
  t.ok(await again.ready(), 'and the service starts')
})
