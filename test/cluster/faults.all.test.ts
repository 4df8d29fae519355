/** Faults of several nodes on real servers: no conversion is lost, fails or is done twice. */
import t from 'tap'
import { startCluster } from '../harness/nodes.ts'
import { clocks } from './clocks.ts'
import { databaseAway } from './database-away.ts'
import { killed } from './killed.ts'
import { storageAway } from './storage-away.ts'
import { woken } from './woken.ts'

t.setTimeout(60 * 60_000)

const cluster = await startCluster(t, {
  bucket: true,
  // Each conversion fetches its source.
  config: { queue: { workers: 7, heavyWorkers: 1 }, storage: { cacheSize: 0 }, shutdown: { grace: '1s' } },
})
const nodes = await Promise.all([cluster.node(), cluster.node(), cluster.node()])

t.test('nodes are killed in the middle of conversions', (t) => killed(t, cluster, nodes))
t.test('a node is stopped for longer than its lease, and wakes', (t) => woken(t, cluster, nodes))
t.test('the database is away', (t) => databaseAway(t, cluster, nodes))
t.test('the storage breaks its answers', (t) => storageAway(t, cluster, nodes))
t.test('the clocks of nodes differ by two minutes', (t) => clocks(t, cluster, nodes))
