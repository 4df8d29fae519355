import type { Test } from 'tap'
import { LEASE } from '../../kernel/database/tables/nodes.ts'
import type { Cluster, ClusterNode } from '../harness/nodes.ts'
import { until } from '../harness/until.ts'

/** Seconds by which the clock of one node is ahead. */
const AHEAD = 120

/** Debian: faketime. Only the clock of the day is changed. */
const FAKE = {
  LD_PRELOAD: '/usr/$LIB/faketime/libfaketimeMT.so.1',
  FAKETIME: `+${AHEAD}s`,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
}

/** Runs two nodes whose clocks differ. The first one of the list has the right time; the others are stopped. */
export async function clocks(t: Test, cluster: Cluster, nodes: readonly ClusterNode[]): Promise<void> {
  const [right, ...others] = nodes as [ClusterNode, ...ClusterNode[]]
  const ahead = await cluster.node({}, FAKE)
  for (const node of others) t.equal(await node.end('SIGTERM'), 0)
  const both = [right, ahead]
  const { fileId } = await ahead.upload('STUB\nclocks', 'a.stub')
  const read = async (node: ClusterNode, id: string) =>
    (await node.call('GET', `/api/conversions/${id}`)).json.conversion
  const cancel = (id: string) => right.call('DELETE', `/api/conversions/${id}`)
  await until(async () => /^2 living/.test((await right.call('GET', '/readyz')).json.parts.nodes.detail))

  await t.test('conversions start in the order of the database', async (t) => {
    // Each node has one place for heavy conversions.
    const blockers = await Promise.all(both.map((node) => cluster.start(node, fileId, { heavy: true, hang: true })))
    const holders = async () => (await Promise.all(both.map(cluster.claims))).flat().map(({ id }) => id)
    await until(async () => (await holders()).length === 2)
    const first = await cluster.start(ahead, fileId, { heavy: true, hang: true })
    const second = await cluster.start(right, fileId, { heavy: true, hang: true })
    const late = await read(right, first)
    const early = await read(right, second)
    const differ = (Date.parse(late.createdAt) - Date.parse(early.createdAt)) / 1000
    t.ok(differ > AHEAD / 2, `by the clocks, the second is ${differ} s older`)
    t.equal((await cancel(blockers[0]!)).status, 204)
    await until(async () => (await holders()).includes(first) || (await holders()).includes(second))
    t.equal((await read(right, first)).status, 'processing')
    t.equal((await read(right, second)).status, 'queued')
    for (const id of [blockers[1]!, first, second]) t.equal((await cancel(id)).status, 204)
    await until(async () => !(await holders()).length)
  })

  await t.test('a lease ends by the clock of the database, for a leader whose clock is ahead', async (t) => {
    const ids: string[] = []
    while (!(await cluster.claims(right)).length) {
      ids.push(await cluster.start(ahead, fileId, { sleep: 4000 }))
      await until(async () => (await cluster.count("select count(*) from conversions where status = 'queued'")) === 0)
    }
    const age = `timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000 - seen_at`
    await right.end('SIGKILL')
    const lost = (await cluster.claims(right)).map(({ id }) => id)
    await until(async () => !(await cluster.claims(right)).length)
    const since = await cluster.count(`select ${age} from nodes where id = '${right.id}'`)
    t.ok(since >= LEASE, `taken back ${since} ms after its last renewal`)
    const rows = await cluster.settle(t, [ahead], ids)
    const wrong = rows.filter(
      ({ id, status, fence }) => status !== 'completed' || fence !== (lost.includes(id) ? 2 : 1),
    )
    t.strictSame(wrong, [], 'what it lost was finished by the other, once')
  })
}
