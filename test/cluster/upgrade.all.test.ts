/** Nodes of different versions. */
import t, { type Test } from 'tap'
import { admin, run } from '../boot/program.ts'
import { startCluster } from '../harness/nodes.ts'
import { otherVersion } from '../harness/other-version.ts'
import { until } from '../harness/until.ts'

const config = { queue: { workers: 5, heavyWorkers: 1 }, shutdown: { grace: '100s' } }
const LATER = { sql: ['create table of_a_later_version (id int primary key)'] }

t.test('nodes of different versions', { timeout: 900_000 }, async (t) => {
  const cluster = await startCluster(t)
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
    const used = new Set<string>()
    for (let round = 0; round < 10 && used.size < 2; round++) {
      const ids = await Promise.all(
        Array.from({ length: 10 }, (_, n) => (n % 2 ? older : newer).start(fileId, 'bust', { sleep: 300 })),
      )
      for (const [n, id] of ids.entries()) {
        const { status, outputUrl } = await (n % 2 ? newer : older).finish(id)
        t.equal(status, 'completed')
        t.equal(await (await fetch(outputUrl)).text(), 'BUST\ntext')
      }
      for (const { node } of await cluster.rows('select distinct node from conversions')) used.add(node)
    }
    t.equal(used.size, 2, 'both convert')
    for (const node of [older, newer]) {
      const detail = async () => (await node.call('GET', '/readyz')).json.parts.nodes.detail
      // A node learns of the others with its next renewal.
      await until(async () => /^2 living \(2 all\), of version 0\.0\.8, 0\.0\.9/.test(await detail()))
      const metrics = await (await fetch(`${node.base}/metrics`)).text()
      for (const version of ['0.0.8', '0.0.9']) t.match(metrics, `athanor_nodes{version="${version}",role="all"} 1`)
    }
    const { stdout } = await admin(t, { ...cluster.env, DATA_DIR: older.dataDir }, 'doctor', '--json')
    t.match(
      JSON.parse(stdout).nodes.living.map(({ id, version }: { id: string; version: string }) => [id, version]),
      [
        [older.id, '0.0.8'],
        [newer.id, '0.0.9'],
      ],
    )
    const printed = await admin(t, { ...cluster.env, DATA_DIR: older.dataDir }, 'doctor')
    const [, list = ''] = /^Nodes\n((?: {2}.*\n)+)/m.exec(printed.stdout) ?? []
    t.match(list.split('\n'), [
      /^ {2}node_\S+ .* all +4 light and 1 heavy at a time +abilities \w{12} +lease for \d+ s +leads$/,
      /lease for \d+ s$/,
      '',
    ])
  })

  await t.test('a version that would change the schema refuses to start beside them', async (t) => {
    const schema = "select count(*) from information_schema.tables where table_name = 'of_a_later_version'"
    await refuses(
      t,
      otherVersion('0.1.0', LATER),
      /^DATABASE_URL: this version changes the schema of the database, which is in use by 2 nodes \(on \S+\) of version 0\.0\.8, 0\.0\.9\. Stop them first\.$/m,
    )
    t.equal(await cluster.count(schema), 0, 'and changes nothing')
  })

  await t.test('an older one that is told to stop ends what it runs, while a newer one takes what comes', async (t) => {
    const ids = await cluster.runOn(older, fileId, 20_000)
    const ended = older.end('SIGTERM')
    await until(async () => /"stopping"/.test(older.log()))
    const late = await newer.start(fileId, 'bust')
    t.match(await newer.finish(late), { status: 'completed' })
    t.equal(await ended, 0)
    const list = [late, ...ids].map((id) => `'${id}'`).join()
    const [first, ...others] = await cluster.rows(
      `select id, status, node, fence, attempts from conversions where id in (${list}) order by completed_at`,
    )
    t.match(first, { id: late, status: 'completed', node: newer.id, fence: 1 })
    t.equal(others.length, ids.length)
    for (const row of others) t.match(row, { status: 'completed', node: older.id, fence: 1, attempts: 1 })
    for (const id of ids) {
      const { outputUrl } = await newer.finish(id)
      t.equal(await (await fetch(outputUrl)).text(), 'BUST\ntext')
    }
  })

  await t.test('when all older ones have stopped, it starts, and they do not start beside it', async (t) => {
    t.equal(await newer.end('SIGTERM'), 0)
    const later = await cluster.node(config, otherVersion('0.1.0', LATER))
    t.match(await later.finish(await later.start(fileId, 'bust')), { status: 'completed' })
    await refuses(t, otherVersion('0.0.9'), /^The database was written by a newer version \(migration 999-other\)/m)
  })
})
