/** What has expired is removed by the leader, and by nobody else while it holds its lease. */
import t from 'tap'
import { startCluster } from '../harness/nodes.ts'
import { until } from '../harness/until.ts'

t.test('only the leader sweeps', { timeout: 600_000 }, async (t) => {
  const cluster = await startCluster(t)
  const leader = await cluster.node()
  const files = async (name: string) => cluster.count(`select count(*) from files where name = '${name}'`)
  const expire = (name: string) => cluster.rows(`update files set expires_at = 1 where name = '${name}'`)
  /** Moves the end of the lease of the stopped leader. @param by Milliseconds. */
  const renew = (by: number) =>
    cluster.rows(
      `update nodes set seen_at = timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000 + ${by}
       where id = '${leader.id}'`,
    )
  await leader.upload('STUB\nkept', 'kept.stub')
  process.kill(leader.pid, 'SIGSTOP')
  await renew(3_600_000)
  await expire('kept.stub')

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
