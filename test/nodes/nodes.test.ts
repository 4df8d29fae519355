/** Several services on one MariaDB, one Redis and one shared folder. */
import t, { type Test } from 'tap'
import { startCluster } from '../harness/nodes.ts'
import { until } from '../harness/until.ts'

const workers = { queue: { workers: 5, heavyWorkers: 1 } }

/** Number of conversions that a node runs. */
async function processing({ base }: { base: string }): Promise<number> {
  const text = await (await fetch(`${base}/readyz`)).text()
  return Number(/(\d+) processing/.exec(text)![1])
}

t.test('two nodes share the work', { timeout: 900_000 }, async (t) => {
  const cluster = await startCluster(t)
  // Both start at once: one migrates, the other waits for it.
  const [one, two] = await Promise.all([cluster.node(workers), cluster.node(workers)])
  const { fileId } = await one.upload('STUB\ntext', 'a.stub')

  await t.test('conversions run once each, on both nodes; wait= answers on the other node', async (t) => {
    const used = new Set<string>()
    // Whoever is free takes a conversion, so a few could all be taken by one node.
    for (let round = 0; round < 10 && used.size < 2; round++) {
      const ids = await Promise.all(
        Array.from({ length: 12 }, (_, n) => (n % 2 ? one : two).start(fileId, 'bust', { sleep: 300 })),
      )
      const ended = await Promise.all(ids.map((id, n) => (n % 2 ? two : one).finish(id)))
      t.ok(ended.every(({ status }) => status === 'completed'))
      for (const { fence, node } of await cluster.rows('select fence, node from conversions')) {
        t.equal(fence, 1, 'claimed once')
        used.add(node)
      }
    }
    t.equal(used.size, 2, 'both nodes worked')
  })

  await t.test('no node takes a conversion for lost that runs on the other one', async (t) => {
    // Each node looks every 2 seconds, and counts as lost what it has missed twice. One of the two leads.
    const used = new Set<string>()
    for (let round = 0; round < 10 && used.size < 2; round++) {
      const ids = await Promise.all([1, 2, 3, 4].map(() => two.start(fileId, 'bust', { sleep: 9000 })))
      for (const id of ids) t.match(await one.finish(id), { status: 'completed' })
      const list = ids.map((id) => `'${id}'`).join()
      const rows = await cluster.rows(`select fence, attempts, node from conversions where id in (${list})`)
      for (const { fence, attempts, node } of rows) {
        t.strictSame([fence, attempts], [1, 1], 'claimed once')
        used.add(node)
      }
    }
    t.equal(used.size, 2, 'both nodes worked')
    for (const node of [one, two]) t.notMatch(node.log(), /queued again|taken back/)
  })

  const cancelWherever = async (t: Test, withRedis: boolean) => {
    const ids = await Promise.all([0, 1, 2, 3].map((n) => (n % 2 ? one : two).start(fileId, 'bust', { hang: true })))
    const running = () => cluster.rows("select id, node from conversions where status = 'processing'")
    await until(async () => (await running()).length === 4)
    const both = [one, two]
    const claims = await running()
    if (!withRedis) await cluster.redis.stop()
    const cancelled = claims.map(async ({ id, node }) => {
      const other = both.find((each) => !each.log().includes(node))!
      return (await other.call('DELETE', `/api/conversions/${id}`)).status
    })
    t.strictSame(await Promise.all(cancelled), [204, 204, 204, 204], 'by the node that does not run it')
    const asked = performance.now()
    await until(async () => !(await Promise.all(both.map(processing))).some(Boolean))
    t.comment(`stopped after ${Math.round(performance.now() - asked)} ms`)
    for (const id of ids) t.match(await one.finish(id), { error: { code: 'CANCELLED' } })
    if (!withRedis) await cluster.redis.start()
  }
  await t.test('a conversion is cancelled wherever it runs', (t) => cancelWherever(t, true))
  await t.test('also while Redis is away', (t) => cancelWherever(t, false))

  await t.test('Redis, restarted empty, loses no conversion', async (t) => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => one.start(fileId, 'bust', { sleep: 500 })))
    await cluster.redis.stop()
    const late = await two.start(fileId, 'bust')
    await cluster.redis.start()
    for (const id of [...ids, late]) t.match(await two.finish(id), { status: 'completed' })
    const rows = await cluster.rows(`select fence from conversions where id in ('${[...ids, late].join("','")}')`)
    t.strictSame(
      rows.map(({ fence }) => fence),
      Array(9).fill(1),
      'each was claimed once',
    )
  })
})
