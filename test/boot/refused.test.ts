/** A start that cannot succeed ends at once with one sentence that says what to do. */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import t from 'tap'
import { loadConfig } from '../../config/load.ts'
import { checkStart } from '../../kernel/boot/checks.ts'
import { openDatabase } from '../../kernel/database/database.ts'
import { folderOf } from '../harness/folder.ts'
import { makeCertificate } from '../harness/servers/certificate.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { root, startStub } from './program.ts'

const folder = await folderOf(t)
let count = 0
const fresh = () => join(folder, `data-${++count}`)

/** Checks a start with these variables. */
const check = async (env: Record<string, string>, yaml = '') => {
  const file = join(folder, 'athanor.yaml')
  writeFileSync(file, yaml)
  return checkStart(loadConfig({ env: { DATA_DIR: fresh(), PORT: '0', CONFIG_FILE: file, ...env }, argv: [] }))
}
const refusal = (message: RegExp) => ({ name: 'StartError', message })

t.test('a file instead of a folder, and a folder instead of a file', async (t) => {
  await t.rejects(check({ CONFIG_FILE: folder }), refusal(/CONFIG_FILE: \S+ is a folder; expected a file in it\.$/))
  const file = join(folder, 'file')
  writeFileSync(file, '')
  for (const DATA_DIR of [file, join(file, 'below')]) {
    const message = new RegExp(`^DATA_DIR: ${DATA_DIR} is not a folder, or lies below a file`)
    await t.rejects(check({ DATA_DIR }), refusal(message))
  }
})

t.test('a data folder that another service uses, until that ends', async (t) => {
  const DATA_DIR = fresh()
  const claim = await check({ DATA_DIR })
  const message = new RegExp(`^DATA_DIR: process ${process.pid} already uses ${DATA_DIR}\\. Stop it first, `)
  await t.rejects(check({ DATA_DIR }), refusal(message))
  claim.release()
  t.notOk(existsSync(join(DATA_DIR, 'service.pid')))
  ;(await check({ DATA_DIR })).release()
})

t.test('a database of a newer version, and one that a killed start has left locked', async (t) => {
  const open = async (statement?: string) => {
    const dataDir = fresh()
    mkdirSync(dataDir)
    await (await openDatabase({ url: undefined, dataDir })).destroy()
    const database = new SQLite(join(dataDir, 'athanor.sqlite'))
    if (statement) database.prepare(statement).run()
    database.close()
    await (await openDatabase({ url: undefined, dataDir })).destroy()
  }
  await open()
  const later = "insert into knex_migrations (name, batch, migration_time) values ('999-later', 9, '2030-01-01')"
  const newer = /^The database was written by a newer version \(migration 999-later\); .*Start the newer version/
  await t.rejects(open(later), refusal(newer))
  const locked = /^The database is locked: .*npm run admin -- migrate unlock\.$/
  await t.rejects(open('update knex_migrations_lock set is_locked = 1'), refusal(locked))
})

t.test('certificate and key', async (t) => {
  const [one, other] = [join(folder, 'one'), join(folder, 'other')].map((path) => {
    mkdirSync(path)
    return makeCertificate(path)!
  }) as [{ cert: string; key: string }, { cert: string; key: string }]
  const nothing = join(folder, 'nothing.pem')
  copyFileSync(join(root, 'package.json'), nothing)
  for (const [TLS_CERT, TLS_KEY, message] of [
    [one.key, one.cert, /TLS_CERT and TLS_KEY are swapped: \S+key\.pem contains the key\. Exchange/],
    [one.cert, other.key, /TLS_KEY: \S+ does not belong to the certificate in /],
    [nothing, one.key, /TLS_CERT: \S+nothing\.pem is not a certificate; expected a PEM file/],
    [one.cert, nothing, /TLS_KEY: \S+nothing\.pem is not a private key; expected/],
    [one.cert, folder, /TLS_KEY: \S+ is a folder/],
  ] as const)
    await t.rejects(check({ TLS_CERT, TLS_KEY }), refusal(message))
  ;(await check({ TLS_CERT: one.cert, TLS_KEY: one.key })).release()
})

t.test('an address that is not available', async (t) => {
  await using other = await startOrigin(() => {})
  const taken = /^Cannot listen on 127\.0\.0\.1, port \d+: EADDRINUSE; another program .*set PORT to a free port/
  await t.rejects(check({ PORT: `${other.port}` }), refusal(taken))
  const metrics = /port \d+: EADDRINUSE; another .*set metrics\.port to a free port/
  await t.rejects(check({}, `metrics: { port: ${other.port} }`), refusal(metrics))
  const away = /^Cannot listen on 198\.51\.100\.7, port \d+: EADDRNOTAVAIL; .*Set HOST to/
  await t.rejects(check({ HOST: '198.51.100.7' }), refusal(away))
  await other[Symbol.asyncDispose]()
  const same = /^metrics\.port: \d+ is the service's own port; set it to another one\.$/
  await t.rejects(check({ PORT: `${other.port}` }, `metrics: { port: ${other.port} }`), refusal(same))
})

t.test('production without TLS or proxy', async (t) => {
  const env = { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32) }
  const message = /^In production .*TLS_CERT and TLS_KEY.*TRUSTED_PROXIES.*--home/
  // A proxy on this machine that TRUSTED_PROXIES does not name.
  for (const HOST of ['127.0.0.1', '::1', 'localhost']) await t.rejects(check({ ...env, HOST }), refusal(message))
  ;(await check({ ...env, TRUSTED_PROXIES: '192.0.2.1' })).release()
  ;(await check({ ...env, ATHANOR_PROFILE: 'home' })).release()

  const dataDir = fresh()
  const { code, stderr } = await startStub(t, dataDir, { env: { ...env, TRUSTED_PROXY: '::1' } }).ended()
  t.equal(code, 78)
  const [warning, sentence, ...more] = stderr.split('\n')
  t.equal(warning, 'Warning: the variable TRUSTED_PROXY is unknown. Did you mean TRUSTED_PROXIES?')
  t.match(sentence, message)
  t.strictSame(more, [''], 'no more than that')
  t.notOk(existsSync(dataDir), 'nothing was made')
})
