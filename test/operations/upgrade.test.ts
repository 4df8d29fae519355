/**
 * A data folder of the version before nodes (migration 010) is opened by today's service, on SQLite and on MariaDB.
 *
 * `before-nodes.tar.gz` was made by commit 89e3aaa: its service ran `belong`, started two conversions, and was killed
 * while it ran the first. All its files are kept for ten years.
 */
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import knexPackage, { type Knex } from 'knex'
import t, { type Test } from 'tap'
import { migrationSource } from '../../kernel/database/migrations.ts'
import { serverOf } from '../../kernel/database/server.ts'
import { type Service, startAthanor } from '../services/athanor.ts'
import { startMariaDb } from '../services/mariadb.ts'
import { removeFolder } from '../services/remove-folder.ts'
import { type Belongings, findAll, finish } from './belongings.ts'

const createKnex = knexPackage as unknown as (config: Knex.Config) => Knex
const config = { plans: { free: { apiKeys: 3 } }, retention: { guest: '3650d', account: '3650d' } }
const JWT_SECRET = 'the secret of the service that was'
/** The last migration of that version. */
const LAST = '010-folder'

/** Unpacks the data folder. `waiting` are the conversions that have not ended. */
async function unpack(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'athanor-upgrade-'))
  t.teardown(() => removeFolder(folder))
  await chmod(folder, 0o711) // engines run as another user
  const archive = join(import.meta.dirname, '../fixtures/before-nodes.tar.gz')
  await promisify(execFile)('tar', ['-xzf', archive, '-C', folder])
  const kept: Belongings & { waiting: string[] } = JSON.parse(await readFile(join(folder, 'kept.json'), 'utf8'))
  return { dataDir: join(folder, 'data'), kept }
}

/** Finds in today's service what the user had in the older one. */
async function compare(t: Test, service: Service, kept: Awaited<ReturnType<typeof unpack>>['kept']) {
  t.teardown(() => service.end('SIGKILL'))
  for (const id of kept.waiting)
    t.match(await finish(service.base, kept.key, id), { status: 'completed' }, 'what was accepted is done')
  await findAll(t, service.base, kept)
  t.equal(await service.end('SIGTERM'), 0)
}

t.test('a data folder', async (t) => {
  const { dataDir, kept } = await unpack(t)
  await compare(t, await startAthanor(dataDir, config, { JWT_SECRET }), kept)
  const database = new Database(join(dataDir, 'athanor.sqlite'), { readonly: true })
  const charged = database.prepare('select sum(conversions) from quota_use where subject like ?').pluck()
  t.equal(charged.get('user%'), 8, 'seven conversions of then and one of today, each charged once')
  t.equal(database.prepare('select count(*) from conversions').pluck().get(), 8)
  database.close()
})

t.test('a database of MariaDB', async (t) => {
  const { dataDir, kept } = await unpack(t)
  await using server = await startMariaDb()
  const url = await server.create('athanor')
  const database = createKnex({ client: 'mysql2', connection: serverOf(url) as Knex.MySql2ConnectionConfig })
  t.teardown(() => database.destroy())
  const names = await migrationSource.getMigrations([])
  const older = { ...migrationSource, getMigrations: async () => names.slice(0, names.indexOf(LAST) + 1) }
  await database.migrate.latest({ migrationSource: older })
  await copyRows(join(dataDir, 'athanor.sqlite'), database)
  await rm(join(dataDir, 'athanor.sqlite'))

  await compare(t, await startAthanor(dataDir, config, { JWT_SECRET, DATABASE_URL: url }), kept)
  const [charged] = await database('quota_use').where('subject', 'like', 'user%').sum({ all: 'conversions' })
  t.equal(Number(charged!.all), 8)
  t.match(await database('conversions').count({ all: '*' }), [{ all: 8 }])
})

t.test('a migration of indexes that was killed is finished by the next start', async (t) => {
  await using server = await startMariaDb()
  const database = createKnex({
    client: 'mysql2',
    connection: serverOf(await server.create('killed')) as Knex.MySql2ConnectionConfig,
  })
  t.teardown(() => database.destroy())
  const indexes = async () => {
    const [rows] = await database.raw('show index from conversions')
    return rows.map((row: any) => `${row.Key_name} ${row.Seq_in_index} ${row.Column_name}`).sort()
  }
  const name = '018-waiting-order'
  await database.migrate.latest({ migrationSource })
  const after = await indexes()
  await database.migrate.down({ migrationSource, name })
  const before = await indexes()
  t.ok(before.includes('conversions_by_status 1 status') && !after.includes('conversions_by_status 1 status'))
  const halves = [[], ['drop index conversions_waiting', 'add index conversions_by_status (status, id)']]
  for (const undone of halves) {
    await database.migrate.latest({ migrationSource })
    // The start was killed before it could record what it had done.
    await database('knex_migrations').where({ name }).delete()
    for (const change of undone) await database.raw(`alter table conversions ${change}`)
    await database.migrate.latest({ migrationSource })
    t.strictSame(await indexes(), after)
  }
  await database.migrate.down({ migrationSource, name })
  t.strictSame(await indexes(), before)
})

/** Copies all rows of a SQLite database into tables of the same schema. */
async function copyRows(file: string, target: Knex): Promise<void> {
  const source = new Database(file)
  const tables =
    "select name from sqlite_schema where type = 'table' and name not like 'knex%' and name not like 'sqlite%'"
  const own = source.prepare<[], string>(tables).pluck().all()
  await target.transaction(async (rows) => {
    await rows.raw('set foreign_key_checks = 0')
    for (const table of own) {
      const all = source.prepare(`select * from ${table}`).all()
      if (all.length) await rows(table).insert(all)
    }
  })
  source.close()
}
