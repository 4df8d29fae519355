/** A node whose lease ends, because the database hangs or because it was stopped for a while. */
import t from 'tap'
import { LEASE } from '../../kernel/database/tables/nodes.ts'
import { type ClusterNode, startCluster } from '../harness/nodes.ts'
import { stubEngines } from '../harness/processes.ts'
import { until } from '../harness/until.ts'

t.setTimeout(900_000)

const cluster = await startCluster(t, {
  bucket: true,
  // Only the end of a lease stops a conversion.
  config: { timeouts: { light: '1h', heavy: '1h', stalled: null } },
})
const one = await cluster.node()

t.test('the database hangs: the node stops its engines before its lease ends', async (t) => {
  const { fileId } = await one.upload('STUB\ntext', 'a.stub')
  const engines = () => stubEngines(one.pid).length
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

t.test('stopped between storing a result and recording it: the result of another node stays', async (t) => {
  const { fileId } = await one.upload('STUB\nwoken', 'a.stub')
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  one.proxy.fault = ({ method, url }) =>
    method === 'PUT' && /\/outputs\//.test(url!) ? { until: answered } : undefined
  const id = await cluster.start(one, fileId, {})
  const outputs = async () => (await cluster.objects()).filter((key) => key.includes(id.replace('conv_', '')))
  await until(async () => (await outputs()).length === 1)
  const [orphan] = await outputs()
  process.kill(one.pid, 'SIGSTOP')
  // It waits for the node like a message that is under way.
  answer()
  const other = await cluster.node()
  t.match(await other.finish(id), { status: 'completed' })
  const record = `select status, fence, output_key, completed_at from conversions where id = '${id}'`
  const [before] = await cluster.rows(record)
  t.match(before, { status: 'completed', fence: 2 })
  t.not(before!.output_key, orphan)

  process.kill(one.pid, 'SIGCONT')
  await until(async () => /lease of this node (ends|had ended)/.test(one.log()))
  await until(async () => !(await outputs()).includes(orphan!))
  await cluster.settle(t, [one, other], [id])
  t.strictSame((await cluster.rows(record))[0], before, 'its end is recorded once')
  t.strictSame(await outputs(), [before!.output_key])
  for (const node of [one, other]) {
    t.equal(await (await fetch((await node.finish(id)).outputUrl)).text(), 'BUST\nwoken')
  }
  await leaves(other)
})

/** Stops a node, which no longer leads then. */
async function leaves(node: ClusterNode): Promise<void> {
  await node.end('SIGTERM')
  await until(async () => /this one leads/.test((await one.call('GET', '/readyz')).json.parts.nodes.detail))
}

t.test('only the leader sweeps', async (t) => {
  const files = async (name: string) => cluster.count(`select count(*) from files where name = '${name}'`)
  /** Moves the end of the lease of the stopped leader. @param by Milliseconds. */
  const renew = (by: number) =>
    cluster.rows(
      `update nodes set seen_at = timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000 + ${by}
       where id = '${one.id}'`,
    )
  await one.upload('STUB\nkept', 'kept.stub')
  process.kill(one.pid, 'SIGSTOP')
  await renew(3_600_000)
  await cluster.rows("update files set expires_at = 1 where name = 'kept.stub'")

  // A leader sweeps as soon as it starts, and has done so long before it has converted something.
  const other = await cluster.node()
  const { fileId } = await other.upload('STUB\nother', 'other.stub')
  t.match(await other.finish(await other.start(fileId, 'bust')), { status: 'completed' })
  const { detail } = (await other.call('GET', '/readyz')).json.parts.nodes
  t.match(detail, /^2 living/)
  t.notMatch(detail, /this one leads/)
  t.equal(await files('kept.stub'), 1, 'not removed')

  await renew(-60_000)
  await until(async () => (await files('kept.stub')) === 0)
  t.match((await other.call('GET', '/readyz')).json.parts.nodes.detail, /this one leads/)
})
