/** Nodes that stop in order, on one MariaDB, one Redis and one shared folder. */
import t from 'tap'
import { startCluster } from '../harness/nodes.ts'
import { until } from '../harness/until.ts'

t.test('nodes that stop', { timeout: 900_000 }, async (t) => {
  const cluster = await startCluster(t)
  const queue = { workers: 5, heavyWorkers: 1 }
  /** It registers first, so it leads. */
  const leader = await cluster.node({ queue, shutdown: { grace: '100s' } })
  const other = await cluster.node({ queue })
  const { fileId } = await other.upload('STUB\ntext', 'a.stub')
  const running = () => cluster.rows("select id, node from conversions where status = 'processing'")
  const cancel = (id: string) => other.call('DELETE', `/api/conversions/${id}`)

  await t.test('the leader delivers what waits until its own conversions have ended', async (t) => {
    const ids = await cluster.runOn(leader, fileId, 90_000)
    const ended = leader.end('SIGTERM')
    await until(async () => /"stopping"/.test(leader.log()))
    await cluster.redis.stop()
    const late = await other.start(fileId, 'bust')
    await cluster.redis.start()
    t.match(await other.finish(late), { status: 'completed' })
    t.equal((await running()).length, ids.length, 'the leader has not ended')
    await Promise.all(ids.map(cancel))
    t.equal(await ended, 0)
  })

  await t.test('a node hands its conversions over when its grace ends, and they lose no attempt', async (t) => {
    const third = await cluster.node({ queue, shutdown: { grace: '1s' } })
    const ids = await cluster.runOn(third, fileId, 12_000)
    t.equal(await third.end('SIGTERM'), 0)
    const rows = () =>
      cluster.rows(`select status, attempts, fence from conversions where id in ('${ids.join("','")}')`)
    t.ok(
      (await rows()).every(({ status, fence }) => status === 'queued' || fence === 2),
      'the node runs none of them',
    )
    for (const id of ids) {
      const { status, error } = await other.finish(id)
      t.equal(status, 'completed', JSON.stringify(error))
    }
    for (const row of await rows()) t.match(row, { attempts: 1, fence: 2 })
  })
})
