/** What nodes tell each other by Redis, and what they do when a message is lost. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { execa } from 'execa'
import t, { type Test } from 'tap'
import { startCluster } from '../harness/nodes.ts'
import type { Service } from '../harness/program.ts'
import { until } from '../harness/until.ts'
import { TUS } from '../http/tus.ts'

type Cluster = Awaited<ReturnType<typeof startCluster>>

/** Reads a stream of events as a browser does: if it ends, it opens another one. Returns what it has read so far. */
function follow(t: Test, { base }: Service, path: string): () => string {
  const end = new AbortController()
  t.teardown(() => end.abort())
  let text = ''
  const read = async () => {
    while (!end.signal.aborted) {
      const answer = await fetch(base + path, { signal: end.signal })
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) text += chunk
    }
  }
  void read().catch((error) => end.signal.aborted || t.fail(error.message))
  return () => text
}

t.test('two nodes', { timeout: 900_000 }, async (t) => {
  const cluster = await startCluster(t)
  const queue = { workers: 5, heavyWorkers: 1 }
  const [one, two] = [await cluster.node({ queue }), await cluster.node({ queue })]

  await t.test('each shows the nodes', async (t) => {
    const nodes = async ({ call }: Service) => (await call('GET', '/readyz')).json.parts.nodes
    // The first one learns of the second with its next renewal.
    await until(async () => (await nodes(one)).detail.startsWith('2 living'))
    const all = '2 living \\(2 all\\), of version \\S+; places: 8 light, 2 heavy; this one'
    t.match(await nodes(one), { ok: true, detail: new RegExp(`^${all} leads, and has a lease for \\d+ s$`) })
    t.match(await nodes(two), { ok: true, detail: new RegExp(`^${all} has a lease for \\d+ s$`) })
    const text = await (await fetch(`${one.base}/metrics`)).text()
    t.match(text, /^athanor_nodes\{version="\S+",role="all"\} 2$/m)
    t.match(text, /^athanor_nodes_places\{lane="light"\} 8$/m)
    t.match(text, /^athanor_nodes_places\{lane="heavy"\} 2$/m)
    t.match(text, /^athanor_node_leader 1$/m)
    const lease = Number(/^athanor_node_lease_seconds (.*)$/m.exec(text)![1])
    t.ok(lease > 0 && lease <= 11, `${lease} s`)
    const manual = readFileSync(join(import.meta.dirname, '../../docs/cluster.md'), 'utf8')
    const names = (of: string, pattern: RegExp) => [...of.matchAll(pattern)].map(([, name]) => name).sort()
    t.strictSame(names(manual, /^\| `(athanor_\w+)` \|/gm), names(text, /^# TYPE (athanor_nodes?_?\w*) /gm))
  })

  await t.test('doctor lists them', async (t) => {
    const env = { ...cluster.env, PATH: process.env.PATH, DATA_DIR: await cluster.dataDir() }
    const program = join(import.meta.dirname, '../../kernel/admin.ts')
    const { stdout } = await execa(process.execPath, [program, 'doctor'], { env, extendEnv: false })
    const [, list = ''] = /^Nodes\n((?: {2}.*\n)+)/m.exec(stdout) ?? []
    t.match(list.split('\n'), [
      /^ {2}node_\S+ .* all +4 light and 1 heavy at a time +abilities \w{12} +lease for \d+ s +leads$/,
      /lease for \d+ s$/,
      '',
    ])
  })

  await t.test('unfinished uploads of a guest are deleted on every node', async (t) => {
    const headers = { ...TUS, 'x-guest-fingerprint': 'guest-with-parts' }
    const begun = await fetch(`${one.base}/api/uploads/tus`, {
      method: 'POST',
      headers: { ...headers, 'upload-length': '10' },
    })
    const place = new URL(begun.headers.get('location')!, `${one.base}/api/uploads/tus`)
    const look = async () => (await fetch(place, { method: 'HEAD', headers })).status
    t.equal(await look(), 200)
    t.equal((await fetch(`${two.base}/api/files/all`, { method: 'DELETE', headers })).status, 204)
    await until(async () => (await look()) === 404)
  })

  await t.test('clients learn of an end that was not told, because Redis was away', (t) =>
    missed(t, cluster, [one, two]),
  )
})

async function missed(t: Test, cluster: Cluster, [one, two]: readonly [Service, Service]): Promise<void> {
  const { fileId } = await one.upload('STUB\ntext', 'a.stub')
  // The conversion cannot begin either.
  await cluster.redis.stop()
  const { status, json } = await one.call('GET', '/readyz')
  t.match(
    { status, json },
    { status: 200, json: { parts: { queue: { ok: false, detail: /^Redis does not answer; / } } } },
  )
  await one.start(fileId, 'bust')
  const id = await one.start(fileId, 'bust')
  const stream = follow(t, one, `/api/conversions/${id}/events`)
  await until(async () => stream().includes('"status":"queued"'))
  const asked = performance.now()
  const answer = one.call('GET', `/api/conversions/${id}?wait=30`)
  await delay(500)
  t.equal((await two.call('DELETE', `/api/conversions/${id}`)).status, 204)
  t.match((await answer).json.conversion, { status: 'failed', error: { code: 'CANCELLED' } })
  const waited = performance.now() - asked
  t.ok(waited < 20_000, `wait= answered after ${waited.toFixed()} ms`)
  t.notOk(stream().includes('"status":"failed"'), 'the stream does not know')
  await cluster.redis.start()
  await until(async () => stream().includes('"status":"failed"'))
  t.equal(one.log().match(/conversions are delivered later/g)?.length, 1, 'logged once, not for each conversion')
}
