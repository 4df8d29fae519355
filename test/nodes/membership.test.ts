/** The lease of one node, on a real database. */
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { loadConfig } from '../../config/load.ts'
import { joinCluster } from '../../kernel/cluster.ts'
import { createLog } from '../../kernel/log.ts'
import { startMariaDb } from '../services/mariadb.ts'
import { startRedis } from '../services/redis.ts'
import { until } from './cluster.ts'

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

  await t.test('holds while all other connections are busy', async (t) => {
    const busy = await Promise.all(Array.from({ length: 8 }, () => database.transaction()))
    // A lease that is not renewed is given up after 11 s.
    await delay(12_000)
    t.equal(cluster.membership.holds(), true)
    await Promise.all(busy.map((transaction) => transaction.rollback()))
  })

  await t.test('ends while the database hangs, and is held again when it answers', async (t) => {
    const told: boolean[] = []
    let led: boolean | undefined
    const listen = () =>
      cluster.membership.onLease((holds) => {
        told.push(holds)
        led = cluster.membership.leads()
      })
    listen()
    server.pause()
    await until(async () => told.length > 0)
    listen()
    t.strictSame(told, [false, false], 'who listens later is told at once')
    // A renewal is waiting for its answer, most likely.
    server.resume()
    // If the renewal fails first, the lease may be lost once more.
    await until(async () => told.at(-1) === true)
    t.equal(cluster.membership.holds(), true)
    t.equal(led, false, 'it does not lead yet: other nodes must be able to renew their leases')
    await until(async () => cluster.membership.leads())
  })
})
