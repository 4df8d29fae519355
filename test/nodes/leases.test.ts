/** Nodes that cannot work together, and nodes that are cut off or stopped for a while. */
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { LEASE } from '../../kernel/database/tables/nodes.ts'
import { startCluster } from '../harness/nodes.ts'
import { stubEngines } from '../harness/processes.ts'
import { startAthanor } from '../harness/program.ts'
import { until } from '../harness/until.ts'

t.test('leases', { timeout: 900_000 }, async (t) => {
  const cluster = await startCluster(t)
  // Only the end of a lease stops a conversion.
  const one = await cluster.node({ timeouts: { light: '1h', heavy: '1h', stalled: null } })
  const { fileId } = await one.upload('STUB\ntext', 'a.stub')
  const engines = () => stubEngines(one.pid).length

  await t.test('services that cannot work with the node refuse to start', async (t) => {
    const refusal = async (env: NodeJS.ProcessEnv) =>
      startAthanor(await cluster.dataDir(), {}, env).then(
        (node) => node.end('SIGKILL').then(() => 'started'),
        ({ message }) => message,
      )
    t.match(
      await refusal({ ...cluster.env, JWT_SECRET: 'another secret of thirty-two characters' }),
      /JWT_SECRET: another secret is set on 1 node \(on .*\) of this database/,
    )
    const { DATABASE_URL, STORAGE_URL, JWT_SECRET } = cluster.env
    t.match(
      await refusal({ DATABASE_URL, STORAGE_URL, JWT_SECRET }),
      /DATABASE_URL: .* in use by 1 node .* Stop it first .* set REDIS_URL/,
    )
    await cluster.rows("update knex_migrations set name = concat(name, '-newer') where name = '013-nodes'")
    t.match(await refusal(cluster.env), /newer version/)
    await cluster.rows("update knex_migrations set name = '013-nodes' where name = '013-nodes-newer'")
    await cluster.rows("delete from knex_migrations where name = '012-lanes'")
    t.match(await refusal(cluster.env), /this version changes the schema .* 1 node .* of version .* Stop it first/)
    await cluster.rows("insert into knex_migrations (name, batch, migration_time) values ('012-lanes', 1, now())")
  })

  await t.test('a claim whose answer is lost does not stay with its node', async (t) => {
    // While Redis is away, nobody claims the conversion. Then the record says what a lost answer leaves behind.
    await cluster.redis.stop()
    const id = await one.start(fileId, 'bust')
    await cluster.rows(
      `update conversions set status = 'processing', attempts = 1, fence = 1, node = (select id from nodes) where id = '${id}'`,
    )
    await cluster.redis.start()
    await until(async () => (await one.call('GET', `/api/conversions/${id}`)).json.conversion.status === 'completed')
    const [row] = await cluster.rows(`select fence, attempts from conversions where id = '${id}'`)
    t.match(row, { fence: 2, attempts: 1 }, 'claimed again; the lost claim is no attempt')
  })

  await t.test('the database hangs: the node stops its engines before its lease ends', async (t) => {
    const processing = "select count(*) from conversions where status = 'processing'"
    const ends = () => one.log().match(/the lease of this node ends/g)?.length ?? 0
    const times: number[] = []
    // The fastest of a few: on a busy machine, killed processes wait for the processor to end.
    for (let round = 0; round < 4 && !times.some((time) => time < LEASE); round++) {
      const id = await one.start(fileId, 'bust', { hang: true })
      await until(async () => (await cluster.count(processing)) === 1)
      await until(async () => engines() > 0)
      const before = ends()
      const began = performance.now()
      cluster.database.pause()
      try {
        await until(async () => engines() === 0)
        times.push(performance.now() - began)
        await until(async () => ends() > before)
      } finally {
        cluster.database.resume()
      }
      // It starts again.
      await until(async () => engines() > 0)
      t.equal((await one.call('DELETE', `/api/conversions/${id}`)).status, 204)
      await until(async () => engines() === 0 && (await cluster.count(processing)) === 0)
    }
    t.ok(
      times.some((time) => time < LEASE),
      `${times.map(Math.round)} ms`,
    )
  })

  await t.test('a node that is stopped for a while wakes after another took over: one result', async (t) => {
    await until(async () => !(await cluster.rows("select id from conversions where status = 'processing'")).length)
    const id = await one.start(fileId, 'bust', { sleep: 8000 })
    await until(
      async () => (await cluster.rows(`select status from conversions where id = '${id}'`))[0]!.status === 'processing',
    )
    process.kill(one.pid, 'SIGSTOP')
    const two = await cluster.node()
    t.match(await two.finish(id), { status: 'completed' })
    process.kill(one.pid, 'SIGCONT')
    await until(async () => /lease of this node (ends|had ended)/.test(one.log()))
    await delay(3000)
    t.match(await one.finish(id), { status: 'completed' })
    const [row] = await cluster.rows(`select fence, output_key from conversions where id = '${id}'`)
    t.equal(row!.fence, 2)
    const { json } = await one.call('GET', `/api/conversions/${id}`)
    t.equal((await fetch(json.conversion.outputUrl)).status, 200, 'its result is there')
  })
})
