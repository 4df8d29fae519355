/** A node that is stopped between storing a result and recording it, and wakes when another one has finished. */
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { until } from '../harness/until.ts'
import { times } from '../hostile/scale.ts'
import { startFaultyCluster } from './faulty.ts'

/** Milliseconds that it is stopped at least. In any case, until another node has taken over. */
const STOPPED = times(0, 60_000)

t.test('the result that was recorded stays, and the other one is removed', { timeout: 600_000 }, async (t) => {
  const cluster = await startFaultyCluster(t)
  const late = await cluster.node()
  const { fileId } = await late.upload('STUB\nwoken', 'a.stub')
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  late.proxy.fault = ({ method, url }) =>
    method === 'PUT' && /\/outputs\//.test(url!) ? { until: answered } : undefined
  const id = await cluster.start(late, fileId, {})
  const outputs = async () => (await cluster.objects()).filter((key) => key.includes(id.replace('conv_', '')))
  await until(async () => (await outputs()).length === 1)
  const [orphan] = await outputs()
  process.kill(late.pid, 'SIGSTOP')
  const since = performance.now()
  // It waits for the node like a message that is under way.
  answer()
  const other = await cluster.node()
  t.match(await other.finish(id), { status: 'completed' })
  const record = `select status, fence, output_key, completed_at from conversions where id = '${id}'`
  const [before] = await cluster.rows(record)
  t.match(before, { status: 'completed', fence: 2 })
  t.not(before!.output_key, orphan)

  await delay(Math.max(0, STOPPED - (performance.now() - since)))
  process.kill(late.pid, 'SIGCONT')
  await until(async () => /lease of this node (ends|had ended)/.test(late.log()))
  await until(async () => !(await outputs()).includes(orphan!))
  await cluster.settle(t, [late, other], [id])
  t.strictSame((await cluster.rows(record))[0], before, 'its end is recorded once')
  t.strictSame(await outputs(), [before!.output_key])
  for (const node of [late, other]) {
    t.equal(await (await fetch((await node.finish(id)).outputUrl)).text(), 'BUST\nwoken')
  }
})
