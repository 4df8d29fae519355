/** The data and the databases of the version before nodes are opened by today's service, on SQLite and on MariaDB. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import knexPackage, { type Knex } from 'knex'
import t, { type Test } from 'tap'
import { serverOf } from '../../kernel/database/server.ts'
import {
  beforeNodes,
  beforeNodesOnServer,
  JWT_SECRET,
  type Kept,
  type KeptOnServer,
  restoreBeforeNodes,
} from '../fixtures/before-nodes.ts'
import { type Service, startAthanor } from '../harness/program.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { findAll, finish } from './belongings.ts'

const createKnex = knexPackage as unknown as (config: Knex.Config) => Knex
const config = { plans: { free: { apiKeys: 3 } }, retention: { guest: '3650d', account: '3650d' } }

/** The service deletes counts of days before yesterday, so those of then become today's. */
const MOVE_DAYS = `update quota_use set day = ${Math.floor(Date.now() / 86_400_000)}`

/** Finds in today's service what the user had in the older one. */
async function compare(t: Test, { base }: Service, kept: Kept) {
  for (const id of kept.waiting)
    t.match(await finish(base, kept.key, id), { status: 'completed' }, 'what was accepted is done')
  await findAll(t, base, kept)
}

t.test('a data folder', async (t) => {
  const { dataDir, kept } = await beforeNodes(t)
  new Database(join(dataDir, 'athanor.sqlite')).exec(MOVE_DAYS).close()
  const service = await startAthanor(dataDir, config, { JWT_SECRET })
  t.teardown(() => service.end('SIGKILL'))
  await compare(t, service, kept)
  t.equal(await service.end('SIGTERM'), 0)
  const database = new Database(join(dataDir, 'athanor.sqlite'), { readonly: true })
  const charged = database.prepare('select sum(conversions) from quota_use where subject like ?').pluck()
  t.equal(charged.get('user%'), 8, 'seven conversions of then and one of today, each charged once')
  t.equal(database.prepare('select count(*) from conversions').pluck().get(), 8)
  database.close()
})

t.test('a database of MariaDB', async (t) => {
  const { dataDir, kept } = await beforeNodesOnServer(t)
  await using server = await startMariaDb()
  const url = await server.create('athanor')
  await restoreBeforeNodes(url)
  const database = createKnex({ client: 'mysql2', connection: serverOf(url) as Knex.MySql2ConnectionConfig })
  t.teardown(() => database.destroy())
  await database.raw(MOVE_DAYS)
  const columns = ['id', 'owner', 'status', 'output_key', 'output_size', 'created_at', 'completed_at', 'expires_at']
  const ended = () => database('conversions').whereIn('id', before).orderBy('id').select(columns)
  const before = await database('conversions').whereIn('status', ['completed', 'failed']).pluck('id')
  const [then, sizes] = [await ended(), await database('files').orderBy('key').select('key', 'size', 'owner')]

  const service = await startAthanor(dataDir, config, { JWT_SECRET, DATABASE_URL: url })
  t.teardown(() => service.end('SIGKILL'))
  await compare(t, service, kept.ada)
  await findAll(t, service.base, kept.bo)
  await findOthers(t, service, kept)
  t.equal(await service.end('SIGTERM'), 0)

  t.equal(before.length, 13)
  t.strictSame(await ended(), then, 'the records of what had ended are the same')
  t.strictSame(await database('files').orderBy('key').select('key', 'size', 'owner'), sizes)
  const accounts = database('quota_use').whereNot('subject', 'like', 'address%')
  t.match(await accounts.sum({ all: 'conversions' }), [{ all: '15' }], '13 conversions of then and two of today')
  t.match(await database('conversions').where({ status: 'completed' }).count({ all: '*' }), [{ all: 17 }])
  const stored = await database.raw(
    `select (select sum(bytes) from stored_bytes) as charged,
       (select sum(size) from files) + (select sum(output_size) from conversions) as stored`,
  )
  const [{ charged, stored: all }] = stored[0]
  t.equal(Number(charged), Number(all), 'stored bytes match the records')
})

/** Finds what a team and a guest had. */
async function findOthers(t: Test, service: Service, { ada, team, guest }: KeptOnServer): Promise<void> {
  const text = async (link: string) => {
    const { pathname, search } = new URL(link)
    return (await fetch(service.base + pathname + search)).text()
  }
  const headers = { authorization: `Bearer ${ada.key}`, 'x-team-id': ada.team }
  const answer = await fetch(`${service.base}/api/conversions/${team.conversion}`, { headers })
  t.equal(await text(((await answer.json()) as any).conversion.outputUrl), 'BUST\nteam')
  const look = async (id: string) => (await service.call('GET', `/api/conversions/${id}`)).json.conversion
  t.equal(await text((await look(guest.completed)).outputUrl), 'BUST\nguest')
  t.match(await look(guest.failed), { error: { code: 'CONVERSION_ERROR', message: 'The stub was asked to fail' } })
  const again = await service.finish(await service.start(guest.file, 'bust'))
  t.equal(await text(again.outputUrl), 'BUST\nguest')
}
