/**
 * A client's journey through two nodes on MariaDB, Redis and an S3 server: one node answers the client, the other
 * converts. Neither keeps a file of its own. What is lost between them, and what two equal nodes do:
 * `nodes.all.test.ts`.
 */
import { readFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Config } from '../../config/config.ts'
import { listen } from '../harness/listen.ts'
import { startCluster } from '../harness/nodes.ts'
import { startCollector } from '../harness/servers/collector.ts'
import { call, convert, finish, get, post, STUB, start, startService, upload } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { begin, placeOf, send } from '../http/tus.ts'

t.setTimeout(600_000)

/** The context of a client's trace. */
const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

/** Conversions that a guest may have pending. */
const PENDING = 4

const cluster = await startCluster(t, { bucket: true })
const collector = await startCollector()
t.teardown(() => collector[Symbol.asyncDispose]())
// The S3 client reads its credentials from there.
Object.assign(process.env, cluster.env)
const change = (config: Config) => {
  Object.assign(config.plans.guest, { pendingJobs: PENDING, conversionsPerDay: null, bytesPerDay: null })
  Object.assign(config.queue, { workers: 3, heavyWorkers: 1 })
  config.storage.cacheSize = 0
}
const node = async (ROLE: string) =>
  cluster.servers.use(await startService({ env: { ...cluster.env, ...collector.env, ROLE }, change }))
const worker = await node('worker')
const api = await node('api')
const idOf = ({ log }: typeof api) => log.find(({ msg }) => /joined the nodes/.test(`${msg}`))!.node
const rowOf = async (id: string) => (await cluster.rows(`select * from conversions where id = '${id}'`))[0]!
const metricsOf = async (service: typeof api) => `${(await get(service, '/metrics')).body}`

/** Lets Redis be away, while nothing is delivered. */
async function withoutRedis<Result>(use: () => Promise<Result>): Promise<Result> {
  await cluster.redis.stop()
  try {
    return await use()
  } finally {
    await cluster.redis.start()
  }
}

t.test('the node for clients offers what the other one can convert', async (t) => {
  const { formats } = (await get(api, '/api/formats')).json
  t.ok(formats.find(({ extension }: { extension: string }) => extension === 'stub').targets.includes('bust'))
  for (const each of [api, worker])
    await until(async () => (await get(each, '/readyz')).json.parts.nodes.detail.startsWith('2 living'))
  const { parts } = (await get(api, '/readyz')).json
  t.match(parts.engines, { ok: true, detail: /^none here; \d+ conversions by others$/ })
  const all = '^2 living \\(1 worker, 1 api\\), of version \\S+; places: 2 light, 1 heavy; this one '
  t.match(parts.nodes, { ok: true, detail: new RegExp(`${all}has a lease for \\d+ s$`) })
  const { detail } = (await get(worker, '/readyz')).json.parts.nodes
  t.match(detail, new RegExp(`${all}leads, and has a lease for \\d+ s$`))
})

t.test('the node that converts serves operators, and nobody else', async (t) => {
  for (const path of ['/healthz', '/readyz', '/metrics']) t.equal((await get(worker, path)).status, 200, path)
  for (const path of ['/', '/docs', '/api/openapi.json', '/api/conversions'])
    t.equal((await get(worker, path, { accept: 'text/html' })).status, 404, path)
  for (const path of ['/api/uploads', '/api/conversions', '/api/auth/login'])
    t.equal((await post(worker, path, {})).status, 404, path)
  const { json } = await get(worker, '/api/formats')
  t.match(json, { error: { code: 'NOT_FOUND', message: /this node only converts/ } })
})

t.test('the metrics tell of the nodes what the manual says', async (t) => {
  const metrics = await metricsOf(worker)
  for (const line of [
    /^athanor_nodes\{version="\S+",role="worker"\} 1$/m,
    /^athanor_nodes_places\{lane="light"\} 2$/m,
    /^athanor_nodes_places\{lane="heavy"\} 1$/m,
    /^athanor_places\{lane="light"\} 2$/m,
    /^athanor_part_up\{part="redis"\} 1$/m,
    /^athanor_node_leader 1$/m,
  ])
    t.match(metrics, line)
  const lease = Number(/^athanor_node_lease_seconds (.*)$/m.exec(metrics)![1])
  t.ok(lease > 0 && lease <= 11, `${lease} s`)
  const manual = readFileSync(join(import.meta.dirname, '../../docs/cluster.md'), 'utf8')
  const names = (of: string, pattern: RegExp) => [...of.matchAll(pattern)].map(([, name]) => name).sort()
  t.strictSame(names(manual, /^\| `(athanor_\w+)` \|/gm), names(metrics, /^# TYPE (athanor_nodes?_?\w*) /gm))
})

t.test('services that cannot work with them refuse to start', async (t) => {
  const { REDIS_URL: _, ...alone } = cluster.env as Record<string, string>
  const another = { ...cluster.env, JWT_SECRET: 'another secret of thirty-two characters' } as typeof alone
  const addNewer = "insert into knex_migrations (name, batch, migration_time) values ('999-newer', 2, now())"
  const secret = /JWT_SECRET: another secret is set on 2 nodes \(on .*\) of this database/
  await t.rejects(startService({ env: another }), { message: secret })
  const use = /DATABASE_URL: .* in use by 2 nodes .* Stop them first .* set REDIS_URL/
  await t.rejects(startService({ env: alone }), { message: use })
  await cluster.rows(addNewer)
  await t.rejects(startService({ env: cluster.env as typeof alone }), { message: /newer version/ })
  await cluster.rows("delete from knex_migrations where name = '999-newer'")
})

t.test('streams tell the beginning, the progress and the end', async (t) => {
  const everything = await listen(api)
  const { id } = await start(api, { options: { sleep: 2000 } })
  const narrow = await listen(api, `/api/conversions/${id}/events`)
  for (const stream of [everything, narrow]) {
    const is = (status: string) => stream.until(({ data }) => data.id === id && data.status === status)
    await is('processing')
    await stream.until(({ data }) => data.id === id && data.progress > 0 && data.progress < 100)
    t.match((await is('completed')).data, { progress: 100, outputUrl: /^http/ })
    stream.close()
  }
  t.match(await rowOf(id), { node: idOf(worker), fence: 1, attempts: 1 })
})

t.test("the lines of the node that converts have its name, and the id of the client's request", async (t) => {
  const { id } = await start(api, {}, { 'x-request-id': 'across-nodes', traceparent: PARENT })
  t.match(await finish(api, id), { status: 'completed' })
  const lines = () => worker.log.filter(({ conversion, msg }) => conversion === id && msg === 'conversion')
  await until(() => lines().length > 0)
  t.match(lines(), [{ requestId: 'across-nodes', status: 'completed' }])
})

t.test('a cancel ends a conversion at once, and all who wait for it are told', async (t) => {
  const stream = await listen(api)
  const { id } = await start(api, { options: { hang: true } })
  await stream.until(({ data }) => data.id === id && data.status === 'processing')
  const waiting = finish(api, id)
  t.equal((await call(api, 'DELETE', `/api/conversions/${id}`)).status, 204)
  const cancelled = { status: 'failed', error: { code: 'CANCELLED' } }
  t.match(await waiting, cancelled)
  t.match((await stream.until(({ data }) => data.id === id && data.status === 'failed')).data, cancelled)
  stream.close()
  await until(() => worker.kernel.scheduler.running() === 0)
})

t.test('starts tell how many wait, up to the limit of the plan', async (t) => {
  const { file } = (await upload(api)).json
  const request = { fileId: file.fileId, toFormat: 'bust', options: { hang: true } }
  const ids: string[] = []
  for (let depth = 0; depth < PENDING; depth++) {
    const { status, json } = await post(api, '/api/conversions', request)
    t.match({ status, json }, { status: 201, json: { queued: true } })
    // What waits is counted once a second, and each start adds to that: the figure can be too high.
    t.ok(json.queueDepth >= 1, `${json.queueDepth} wait`)
    ids.push(json.conversionId)
  }
  t.match(await post(api, '/api/conversions', request), { status: 429, json: { error: { code: 'QUEUE_FULL_USER' } } })
  // The last first, so that none of them begins.
  for (const id of ids.reverse()) await call(api, 'DELETE', `/api/conversions/${id}`)
  await until(() => worker.kernel.scheduler.running() === 0)
})

t.test('Redis, restarted empty, loses no conversion and no cancel', async (t) => {
  const hangs = (await start(api, { options: { hang: true } })).id
  await until(async () => (await rowOf(hangs)).status === 'processing')
  const ids = [(await start(api, { options: { sleep: 500 } })).id]
  await withoutRedis(async () => {
    t.equal((await call(api, 'DELETE', `/api/conversions/${hangs}`)).status, 204)
    await until(() => !worker.kernel.scheduler.has(hangs))
    ids.push((await start(api)).id)
  })
  for (const id of ids) {
    t.match(await finish(api, id), { status: 'completed' })
    t.equal((await rowOf(id)).fence, 1, 'it was claimed once')
  }
})

t.test('a claim whose answer is lost does not stay with its node, nor with a node that is gone', async (t) => {
  const claimedBy = (node: unknown) => `status = 'processing', attempts = 1, fence = 1, node = '${node}'`
  // While Redis is away, nobody claims them. Then the records say what a lost answer and a killed node leave behind.
  const [lost, abandoned] = await withoutRedis(async () => {
    const ids = [(await start(api)).id, (await start(api)).id] as const
    await cluster.rows(`update conversions set ${claimedBy(idOf(worker))} where id = '${ids[0]}'`)
    await cluster.rows(`update conversions set ${claimedBy('node_gone')} where id = '${ids[1]}'`)
    return ids
  })
  for (const id of [lost, abandoned]) {
    t.match(await finish(api, id), { status: 'completed' })
    t.match(await rowOf(id), { fence: 2, attempts: 2 }, 'claimed again')
  }
})

t.test('while Redis is away, metrics and readiness say so, and clients still learn of ends', async (t) => {
  const warnings = () => api.log.filter(({ msg }) => msg === 'conversions are delivered later').length
  const isUp = async () => /^athanor_part_up\{part="redis"\} (.)$/m.exec(await metricsOf(api))?.[1]
  // A failed delivery is logged again only after one has succeeded.
  await convert(api)
  const before = warnings()
  const { id, stream } = await withoutRedis(async () => {
    const queue = { ok: false, detail: /^Redis does not answer; / }
    t.match(await get(api, '/readyz'), { status: 200, json: { parts: { queue } } })
    t.equal(await isUp(), '0')
    await start(api)
    const { id } = await start(api)
    const stream = await listen(api, `/api/conversions/${id}/events`)
    await stream.until(({ data }) => data.status === 'queued')
    const answer = finish(api, id)
    t.equal((await call(api, 'DELETE', `/api/conversions/${id}`)).status, 204)
    t.match(await answer, { status: 'failed', error: { code: 'CANCELLED' } })
    await until(() => warnings() > before)
    t.equal(warnings(), before + 1, 'logged once, not for each conversion')
    return { id, stream }
  })
  // What was not told ends the streams, and their clients begin again.
  await stream.ended.catch(() => {})
  const next = await listen(api, `/api/conversions/${id}/events`)
  await next.until(({ data }) => data.status === 'failed')
  next.close()
  await until(async () => (await isUp()) === '1')
  cluster.redis.pause()
  const found = (value: string) =>
    until(async () => {
      await get(api, '/readyz')
      return (await isUp()) === value
    })
  await found('0').finally(() => cluster.redis.resume())
  await found('1')
})

t.test('a resumable upload', async (t) => {
  const place = placeOf(await begin(api, STUB.length))
  await send(api, place, 0, STUB.slice(0, 5))
  await send(api, place, 5, STUB.slice(5))
  const { file } = (await get(api, place)).json
  t.equal(file.size, STUB.length)
  t.ok((await cluster.objects()).includes(file.fileId))
  const { conversionId } = (await post(api, '/api/conversions', { fileId: file.fileId, toFormat: 'bust' })).json
  t.equal((await finish(api, conversionId)).status, 'completed')
})

t.test('a result is downloaded, charged once, and removed; nothing else is stored', async (t) => {
  const charged = () => cluster.count('select max(conversions) from quota_use')
  const stored = () => cluster.count('select coalesce(max(bytes), 0) from stored_bytes')
  const chargedBefore = await charged()
  const storedBefore = await stored()
  const { file, conversion, download } = await convert(api)
  t.equal(conversion.status, 'completed')
  t.notMatch(JSON.stringify(file), /sha256/i, 'the client sees nothing of the storage')
  t.equal(await charged(), chargedBefore + 1)
  t.equal(await stored(), storedBefore + file.size + conversion.outputSize)
  const { status, headers, body } = await get(api, download)
  t.equal(status, 200)
  t.equal(`${body}`, STUB.replace('STUB', 'BUST'))
  t.equal(headers.get('x-content-type-options'), 'nosniff')
  t.match(headers.get('content-security-policy'), /sandbox/)
  const range = await get(api, download, { range: 'bytes=3-9' })
  t.match({ status: range.status, body: `${range.body}` }, { status: 206, body: `${body.subarray(3, 10)}` })
  t.equal((await call(api, 'HEAD', download)).headers.get('content-length'), `${body.length}`)
  await cluster.settle(t, [], [])
  const objects = await cluster.objects()
  t.ok(objects.includes(file.fileId) && objects.includes(conversion.outputFileId), 'both are in the bucket')
  for (const { dataDir } of [api, worker]) await t.rejects(access(join(dataDir, 'files')), { code: 'ENOENT' })
  t.equal((await call(api, 'DELETE', `/api/conversions/${conversion.id}`)).status, 204)
  t.equal((await call(api, 'DELETE', file.path)).status, 204)
  const after = await cluster.objects()
  t.notOk(after.includes(file.fileId) || after.includes(conversion.outputFileId), 'the bucket has neither')
  t.equal(await stored(), storedBefore)
  t.equal((await call(api, 'DELETE', '/api/files/all')).status, 204)
  await until(async () => (await cluster.objects()).length === 0 && (await stored()) === 0)
})

t.test('the spans of both nodes are of one trace', async (t) => {
  for (const { kernel } of [api, worker]) await kernel.tracing.close()
  const spans = collector.spans.filter(({ traceId }) => PARENT.includes(traceId))
  const named = (name: string) => spans.find((span) => span.name === name)!
  const request = named('POST /api/conversions')
  t.match(request, { parentSpanId: '00f067aa0ba902b7', resource: { 'service.instance.id': idOf(api) } })
  for (const name of ['queue', 'conversion']) {
    t.match(named(name), { parentSpanId: request.spanId, resource: { 'service.instance.id': idOf(worker) } }, name)
  }
  t.match(named('engine scribe'), { parentSpanId: named('conversion').spanId })
})
