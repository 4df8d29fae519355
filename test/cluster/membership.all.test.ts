/** The lease of one node, on a real database. */
import mysql from 'mysql2/promise'
import t from 'tap'
import { loadConfig } from '../../config/load.ts'
import { joinCluster } from '../../kernel/cluster/cluster.ts'
import { serverOf } from '../../kernel/database/server.ts'
import { registerNode } from '../../kernel/database/tables/nodes.ts'
import { createLog } from '../../kernel/log.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'
import { startRedis } from '../harness/servers/redis.ts'
import { until } from '../harness/until.ts'

t.test('the lease of a node', { timeout: 600_000 }, async (t) => {
  await using servers = new AsyncDisposableStack()
  const redis = servers.use(await startRedis())
  const server = servers.use(await startMariaDb())
  const env = {
    DATA_DIR: t.testdir({}),
    DATABASE_URL: await server.create('lease'),
    REDIS_URL: redis.url,
    STORAGE_URL: `file://${t.testdirName}`,
    JWT_SECRET: 'a secret of more than thirty-two characters',
  }
  await using undo = new AsyncDisposableStack()
  const joined = await joinCluster(loadConfig({ env, argv: [] }), createLog('silent'), undo)
  const { database, cluster } = joined

  await t.test('is renewed while all other connections are busy', async (t) => {
    const busy = await Promise.all(Array.from({ length: 8 }, () => database.transaction()))
    // The server ends one whose service does nothing, after 8 s.
    for (const transaction of busy) await transaction.raw('set session idle_transaction_timeout = 0')
    const watcher = await mysql.createConnection(serverOf(env.DATABASE_URL))
    const renewed = async () => (await watcher.query<mysql.RowDataPacket[]>('select seen_at from nodes'))[0][0]!.seen_at
    const before = await renewed()
    await until(async () => (await renewed()) > before)
    t.equal(cluster.membership.holds(), true)
    await watcher.end()
    await Promise.all(busy.map((transaction) => transaction.rollback()))
  })

  await t.test('a node notices which others live', async (t) => {
    const { membership } = cluster
    const row = { id: 'node_other', host: 'h', version: '1', secret: 's', role: 'worker', abilities: null }
    await registerNode(database, { ...row, light_workers: 1, heavy_workers: 1, abilities_digest: null })
    await until(async () => membership.living().some(({ id }) => id === row.id))
    const before = membership.living()
    let gone = 0
    membership.onGone(() => void gone++)
    await until(async () => gone > 0)
    t.not(membership.living(), before)
    t.notOk(membership.living().some(({ id }) => id === row.id))
  })

  await t.test('ends while the database hangs, and is held again when it answers', async (t) => {
    const told: { holds: boolean; leads: boolean }[] = []
    const { membership } = cluster
    const listen = () => membership.onLease((holds) => void told.push({ holds, leads: membership.leads() }))
    listen()
    server.pause()
    await until(() => told.length > 0 && !membership.holds())
    const before = told.length
    listen()
    t.match(told.slice(before), [{ holds: false }], 'who listens later is told at once')
    // A renewal is waiting for its answer, most likely.
    server.resume()
    // If the renewal fails first, the lease may be lost once more.
    await until(async () => told.at(-1)!.holds)
    t.equal(membership.holds(), true)
    t.equal(told.at(-1)!.leads, false, 'other nodes must be able to renew their leases first')
    await until(async () => membership.leads())
  })
})
