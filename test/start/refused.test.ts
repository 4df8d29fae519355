/** If the service cannot start, it exits with 78 at once and prints one sentence that says what to do. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { makeCertificate } from '../harness/servers/certificate.ts'
import { root, run, startStub, useOnce } from './program.ts'

const isRoot = process.getuid?.() === 0
const folder = mkdtempSync(join(tmpdir(), 'athanor-refused-'))
chmodSync(folder, 0o755)
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
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

t.test('a file instead of a folder, and a folder instead of a file', async (t) => {
  await refuses(t, /CONFIG_FILE: \S+ is a folder; expected a file in it\.$/m, { env: { CONFIG_FILE: folder } })
  const file = join(folder, 'file')
  writeFileSync(file, '')
  for (const dataDir of [file, join(file, 'below')]) {
    await refuses(t, new RegExp(`^DATA_DIR: ${dataDir} is not a folder, or lies below a file`), { dataDir })
  }
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

t.test('the start script prints the sentence too', { skip: !isRoot }, async (t) => {
  const dataDir = join(folder, 'file', 'below')
  const { code, stderr } = await run(t, ['sh', 'config/run.sh', 'kernel/main.ts'], { DATA_DIR: dataDir }).ended()
  t.match({ code, stderr }, { code: 78, stderr: new RegExp(`^DATA_DIR: ${dataDir} is not a folder.*\n$`) })
})

t.test('certificate and key', async (t) => {
  const [one, other] = [join(folder, 'one'), join(folder, 'other')].map((path) => {
    mkdirSync(path)
    return makeCertificate(path)
  })
  if (!one || !other) return t.comment('openssl is missing')
  const tls = (cert: string, key: string) => ({ env: { TLS_CERT: cert, TLS_KEY: key } })
  await refuses(t, /TLS_CERT and TLS_KEY are swapped: \S+key\.pem contains the key\. Exchange/, tls(one.key, one.cert))
  await refuses(t, /TLS_KEY: \S+ does not belong to the certificate in /, tls(one.cert, other.key))
  const nothing = join(folder, 'nothing.pem')
  copyFileSync(join(root, 'package.json'), nothing)
  await refuses(t, /TLS_CERT: \S+nothing\.pem is not a certificate; expected a PEM file/, tls(nothing, one.key))
  await refuses(t, /TLS_KEY: \S+nothing\.pem is not a private key; expected/, tls(one.cert, nothing))
  await refuses(t, /TLS_KEY: \S+ is a folder/, tls(one.cert, folder))
})

t.test('an address that is not available', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.teardown(() => taken.close())
  await once(taken, 'listening')
  const PORT = String((taken.address() as AddressInfo).port)
  await refuses(t, /^Cannot listen on 127\.0\.0\.1, port \d+: EADDRINUSE; another program .*set PORT to a free port/, {
    env: { PORT },
  })
  await refuses(t, /port \d+: EADDRINUSE; another .*set metrics\.port to a free port/, {
    more: `metrics: { port: ${PORT} }`,
  })
  await refuses(t, /^metrics\.port: 45671 is the service's own port; set it to another one\.$/m, {
    env: { PORT: '45671' },
    more: 'metrics: { port: 45671 }',
  })
  await refuses(t, /^Cannot listen on 198\.51\.100\.7, port \d+: EADDRNOTAVAIL; .*Set HOST to/, {
    env: { HOST: '198.51.100.7' },
  })
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

t.test('production without TLS or proxy', async (t) => {
  const env = { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32) }
  const dataDir = fresh()
  const pattern = /^In production .*TLS_CERT and TLS_KEY.*TRUSTED_PROXIES.*--home/
  await refuses(t, pattern, { dataDir, env })
  // A proxy on this machine that TRUSTED_PROXIES does not name.
  for (const HOST of ['127.0.0.1', '::1', 'localhost']) await refuses(t, pattern, { dataDir, env: { ...env, HOST } })
  t.notOk(existsSync(dataDir), 'nothing was made')
})

t.test('a misspelt variable causes a warning', async (t) => {
  const service = startStub(t, fresh(), { env: { TRUSTED_PROXY: '::1' } })
  await service.ready()
  service.kill('SIGTERM')
  const { code, stderr } = await service.ended()
  t.equal(code, 0)
  t.match(stderr, /^Warning: the variable TRUSTED_PROXY is unknown\. Did you mean TRUSTED_PROXIES\?$/m)
})
