/**
 * A client's journey through two nodes on MariaDB, Redis and an S3 server: one node answers the client, the other
 * converts. Neither keeps a file of its own.
 */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Config } from '../../config/config.ts'
import { listen } from '../harness/listen.ts'
import { startCluster } from '../harness/nodes.ts'
import { startCollector } from '../harness/servers/collector.ts'
import {
  call,
  convert,
  finish,
  form,
  get,
  pathOf,
  post,
  STUB,
  start,
  startService,
  upload,
} from '../harness/service.ts'
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
const inDatabase = async (id: string) =>
  (await cluster.rows(`select node, fence, attempts from conversions where id = '${id}'`))[0]!

t.test('the node for clients offers what the other one can convert', async (t) => {
  const { formats } = (await get(api, '/api/formats')).json
  t.ok(formats.find(({ extension }: { extension: string }) => extension === 'stub').targets.includes('bust'))
  await until(async () => (await get(api, '/readyz')).json.parts.nodes.detail.startsWith('2 living'))
  const { parts } = (await get(api, '/readyz')).json
  t.match(parts.engines, { ok: true, detail: /^none here; \d+ conversions by others$/ })
  t.match(parts.nodes.detail, /^2 living \(1 worker, 1 api\), of version \S+; places: 2 light, 1 heavy/)
})

t.test('the node that converts serves operators, and nobody else', async (t) => {
  for (const path of ['/healthz', '/readyz', '/metrics']) t.equal((await get(worker, path)).status, 200, path)
  for (const [method, path] of [
    ...(['/', '/docs', '/api/openapi.json', '/api/conversions'].map((path) => ['GET', path]) as [string, string][]),
    ['POST', '/api/uploads'],
    ['POST', '/api/conversions'],
    ['POST', '/api/auth/login'],
    ['DELETE', '/api/files/all'],
  ] as const) {
    t.equal((await call(worker, method, path, { headers: { accept: 'text/html' } })).status, 404, `${method} ${path}`)
  }
  const { json } = await get(worker, '/api/formats')
  t.match(json, { error: { code: 'NOT_FOUND', message: /this node only converts/ } })
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
  t.match(await inDatabase(id), { node: idOf(worker), fence: 1, attempts: 1 })
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

t.test('a batch and its ZIP', async (t) => {
  const files = []
  for (const name of ['a.stub', 'b.stub']) {
    const { file } = (await upload(api, form(STUB, name))).json
    files.push({ fileId: file.fileId, fileName: name, fileSize: file.size, fromFormat: file.format })
  }
  const { json } = await post(api, '/api/conversions/batch', { files, toFormat: 'bust' })
  for (const { conversionId } of json.conversions) t.equal((await finish(api, conversionId)).status, 'completed')
  const { batch } = (await get(api, `/api/conversions/batch/${json.batchId}`)).json
  const { status, body } = await get(api, pathOf(batch.outputUrl))
  t.equal(status, 200)
  t.match(body.toString('latin1'), /a\.bust[\s\S]*b\.bust/)
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
