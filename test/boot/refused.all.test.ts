/** Starts that the machine refuses, before engines are probed: they exit with 78 and print one sentence. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { folderOf } from '../harness/folder.ts'
import { run, startStub, useOnce } from './program.ts'

const isRoot = process.getuid?.() === 0
const folder = await folderOf(t)
let count = 0
const fresh = () => join(folder, `data-${++count}`)

/** An engine that takes 100 s to print its version. A start that takes so long has probed it. */
const slow = `const slow = { name: 'slow', binary: ['/usr/bin/sleep'], version: ['100'], argv: () => [] }
export default { category: 'slow', formats: { slw: { mime: 'text/x-slw' } }, options: {},
  routes: [{ transform: ['slw'], engine: slow, args: () => [] }] }`
writeFileSync(join(folder, 'slow.mjs'), slow)

/** Starts the service with an engine that is slow to probe, and expects one sentence before the probe ends. */
async function refuses(
  t: Test,
  pattern: RegExp,
  { dataDir = fresh(), env = {}, more = '' }: { dataDir?: string; env?: NodeJS.ProcessEnv; more?: string } = {},
) {
  const yaml = `plugins: { ${join(folder, 'slow.mjs')}: true }\n${more}`
  const args = ['--only', join(folder, 'slow.mjs')]
  const { code, stderr, ms } = await startStub(t, dataDir, { env, yaml, args }).ended()
  t.equal(code, 78, stderr)
  t.match(stderr, pattern)
  t.equal(stderr.trimEnd().split('\n').length, 1, 'one line')
  t.ok(ms < 90_000, `before engines are probed: ${Math.round(ms)} ms`)
}

t.test('a database of a newer version', async (t) => {
  const dataDir = await useOnce(t, fresh())
  const database = new SQLite(join(dataDir, 'athanor.sqlite'))
  database
    .prepare("insert into knex_migrations (name, batch, migration_time) values ('999-later', 9, '2030-01-01')")
    .run()
  database.close()
  await refuses(t, /^The database was written by a newer version \(migration 999-later\); .*Start the newer version/, {
    dataDir,
  })
})

t.test('a schema that a killed start has left locked', async (t) => {
  const dataDir = await useOnce(t, fresh())
  const database = new SQLite(join(dataDir, 'athanor.sqlite'))
  database.prepare('update knex_migrations_lock set is_locked = 1').run()
  database.close()
  await refuses(t, /^The database is locked: .*npm run admin -- migrate unlock\.$/m, { dataDir })
})

t.test('a data folder that is not writable', { skip: !isRoot }, async (t) => {
  const dataDir = fresh()
  mkdirSync(dataDir, { mode: 0o755 })
  // Root can write everywhere except on a read-only file system.
  const mounted = `mount -t tmpfs -o ro none ${dataDir} && exec "$0" kernel/main.ts`
  const command = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', mounted, process.execPath]
  if (spawnSync('unshare', ['--mount', 'true']).status === 0) {
    const { code, stderr } = await run(t, command, { DATA_DIR: dataDir, PORT: '0' }).ended()
    t.match({ code, stderr }, { code: 78, stderr: /^DATA_DIR: \S+ is not writable by user 0\. Make it writable .*\n$/ })
  }
  const asNobody = { uid: 65534, gid: 65534 }
  const plain = [process.execPath, 'kernel/main.ts']
  const { code, stderr, ms } = await run(t, plain, { DATA_DIR: dataDir, PORT: '0' }, asNobody).ended()
  t.match({ code, stderr }, { code: 78, stderr: /^DATA_DIR: \S+ is not writable by user 65534\. .*set DATA_DIR/ })
  t.ok(ms < 90_000, `${Math.round(ms)} ms`)
})

t.test('a user namespace that has only root', async (t) => {
  const command = ['unshare', '--user', '--map-root-user', process.execPath, 'kernel/main.ts']
  const { code, stderr } = await run(t, command, { DATA_DIR: fresh(), PORT: '0' }).ended()
  t.match(
    { code, stderr },
    { code: 78, stderr: /^The service runs as root of a user namespace .* another user than root\.\n$/ },
  )
})

t.test('the start script prints the sentence too', { skip: !isRoot }, async (t) => {
  const dataDir = join(folder, 'slow.mjs', 'below')
  const { code, stderr } = await run(t, ['sh', 'config/run.sh', 'kernel/main.ts'], { DATA_DIR: dataDir }).ended()
  t.match({ code, stderr }, { code: 78, stderr: new RegExp(`^DATA_DIR: ${dataDir} is not a folder.*\n$`) })
})

/** A container may allow everybody to use low ports. */
const isPrivileged = Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8')) > 80

t.test('a port that the service is not allowed to use', { skip: !isRoot || !isPrivileged }, async (t) => {
  const dataDir = fresh()
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o777)
  const command = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, 'kernel/main.ts']
  const { code, stderr } = await run(t, command, { DATA_DIR: dataDir, PORT: '80' }).ended()
  // A container may allow everybody to use low ports. Then nothing is refused here.
  if (code !== null)
    t.match({ code, stderr }, { code: 78, stderr: /port 80: EACCES; ports below 1024 need .*Set PORT to/ })
})
