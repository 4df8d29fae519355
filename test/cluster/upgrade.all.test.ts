/** Nodes of different versions, which stop and start one after the other. */
import t, { type Test } from 'tap'
import { admin, run } from '../boot/program.ts'
import { startCluster } from '../harness/nodes.ts'
import { otherVersion } from '../harness/other-version.ts'
import { until } from '../harness/until.ts'

const config = { queue: { workers: 5, heavyWorkers: 1 }, shutdown: { grace: '100s' } }
const LATER = { sql: ['create table of_a_later_version (id int primary key)'] }

t.test('nodes of different versions', { timeout: 900_000 }, async (t) => {
  const cluster = await startCluster(t)
  // It registers first, so it leads.
  const older = await cluster.node(config, otherVersion('0.0.8'))
  const newer = await cluster.node(config, otherVersion('0.0.9'))
  const { fileId } = await older.upload('STUB\ntext', 'a.stub')

  /** Starts the service without waiting, and expects that it refuses. */
  async function refuses(t: Test, env: NodeJS.ProcessEnv, sentence: RegExp): Promise<void> {
    const DATA_DIR = await cluster.dataDir()
    const program = run(t, [process.execPath, 'kernel/main.ts'], { ...cluster.env, DATA_DIR, PORT: '0', ...env })
    t.match(await program.ended(), { code: 78, stderr: sentence })
  }

  await t.test('with one schema they work together, and everybody sees both versions', async (t) => {
    for (const node of [older, newer]) {
      const detail = async () => (await node.call('GET', '/readyz')).json.parts.nodes.detail
      // A node learns of the others with its next renewal.
      await until(async () => /^2 living \(2 all\), of version 0\.0\.8, 0\.0\.9/.test(await detail()))
      const metrics = await (await fetch(`${node.base}/metrics`)).text()
      for (const version of ['0.0.8', '0.0.9']) t.match(metrics, `athanor_nodes{version="${version}",role="all"} 1`)
    }
    const doctor = (...more: string[]) => admin(t, { ...cluster.env, DATA_DIR: older.dataDir }, 'doctor', ...more)
    t.match(JSON.parse((await doctor('--json')).stdout).nodes.living, [
      { id: older.id, version: '0.0.8' },
      { id: newer.id, version: '0.0.9' },
    ])
    const [, list = ''] = /^Nodes\n((?: {2}.*\n)+)/m.exec((await doctor()).stdout) ?? []
    t.match(list.split('\n'), [
      /^ {2}node_\S+ .* all +4 light and 1 heavy at a time +abilities \w{12} +lease for \d+ s +leads$/,
      /lease for \d+ s$/,
      '',
    ])
  })

  await t.test('a version that would change the schema refuses to start beside them', async (t) => {
    const sentence =
      /^DATABASE_URL: this version changes the schema .* in use by 2 nodes \(on \S+\) of version 0\.0\.8, 0\.0\.9\. Stop them first\.$/m
    await refuses(t, otherVersion('0.1.0', LATER), sentence)
    const schema = "select count(*) from information_schema.tables where table_name = 'of_a_later_version'"
    t.equal(await cluster.count(schema), 0, 'and changes nothing')
  })

  await t.test('a node hands its conversions over when its grace ends, and they lose no attempt', async (t) => {
    const third = await cluster.node({ ...config, shutdown: { grace: '1s' } })
    const ids = await cluster.runOn(third, fileId, 12_000)
    t.equal(await third.end('SIGTERM'), 0)
    for (const id of ids) {
      const { status, outputUrl, error } = await newer.finish(id)
      t.equal(status, 'completed', JSON.stringify(error))
      t.equal(await (await fetch(outputUrl)).text(), 'BUST\ntext')
    }
    const rows = await cluster.rows(`select attempts, fence from conversions where id in ('${ids.join("','")}')`)
    for (const row of rows) t.match(row, { attempts: 1, fence: 2 })
  })

  await t.test('the older one, which leads, ends what it runs, and delivers what comes to the newer one', async (t) => {
    const ids = await cluster.runOn(older, fileId, 30_000)
    const ended = older.end('SIGTERM')
    await until(async () => /"stopping"/.test(older.log()))
    await cluster.redis.stop()
    const late = await newer.start(fileId, 'bust')
    await cluster.redis.start()
    t.match(await newer.finish(late), { status: 'completed' })
    t.equal(await ended, 0)
    const list = [late, ...ids].map((id) => `'${id}'`).join()
    const [first, ...others] = await cluster.rows(
      `select id, status, node, fence, attempts from conversions where id in (${list}) order by completed_at`,
    )
    t.match(first, { id: late, status: 'completed', node: newer.id, fence: 1 })
    t.equal(others.length, ids.length)
    for (const row of others) t.match(row, { status: 'completed', node: older.id, fence: 1, attempts: 1 })
  })

  await t.test('when all older ones have stopped, it starts, and they do not start beside it', async (t) => {
    t.equal(await newer.end('SIGTERM'), 0)
    const later = await cluster.node(config, otherVersion('0.1.0', LATER))
    t.match(await later.finish(await later.start(fileId, 'bust')), { status: 'completed' })
    await refuses(t, otherVersion('0.0.9'), /^The database was written by a newer version \(migration 999-other\)/m)
  })
})
