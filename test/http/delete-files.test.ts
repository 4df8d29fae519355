/** `DELETE /api/files/all` removes everything of one owner, and nothing of others. */
import t from 'tap'
import {
  call,
  convert,
  finish,
  get,
  pathOf,
  refusal,
  STUB,
  serviceOf,
  start,
  startBatch,
  storedFiles,
} from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { makeKey, type Person, signUp } from './people.ts'
import { begin, placeOf, send } from './tus.ts'

type Headers = Record<string, string>

const service = await serviceOf(t, {
  change: ({ queue, plans }) => {
    queue.workers = 1
    plans.pro.pendingJobs = 2
  },
})

const deleteAll = (headers: Headers) => call(service, 'DELETE', '/api/files/all', { headers })
const usageOf = async ({ session }: Person) => (await get(service, '/api/users/me', session)).json.usage

/** Makes one ended conversion, one ended batch and one unfinished upload. Returns the paths that show them. */
async function fill(headers: Headers) {
  const { conversion, download } = await convert(service, {}, headers)
  const { file, batchId, conversions } = await startBatch(service, [{}, {}], headers)
  for (const { conversionId } of conversions) await finish(service, conversionId, headers)
  const { batch } = (await get(service, `/api/conversions/batch/${batchId}`, headers)).json
  const unfinished = placeOf(await begin(service, STUB.length, headers))
  await send(service, unfinished, 0, STUB.slice(0, 5), headers)
  return {
    records: [file.path, `/api/conversions/${conversion.id}`, `/api/conversions/batch/${batchId}`],
    downloads: [download, pathOf(batch.outputUrl)],
    unfinished,
    batch: batchId,
  }
}

/** Statuses of these paths. */
const statuses = (paths: readonly string[], headers: Headers = {}) =>
  Promise.all(paths.map(async (path) => (await get(service, path, headers)).status))

const { scheduler, files, conversions, batches } = service.kernel
const ada = await signUp(service, 'pro')
const bob = await signUp(service, 'pro')
const hers = await fill(ada.session)
const his = await fill(bob.session)

t.test('it ends what runs or waits', async (t) => {
  const { id: running } = await start(service, { options: { sleep: 120_000 } }, ada.session)
  const statusOf = async (id: string) =>
    (await get(service, `/api/conversions/${id}`, ada.session)).json.conversion.status
  await until(async () => (await statusOf(running)) === 'processing')
  const { id: waiting } = await start(service, {}, ada.session)
  const { id: others } = await start(service, {}, bob.session)
  t.equal((await start(service, {}, ada.session)).started.json.error.code, 'QUEUE_FULL_USER')
  const reply = await deleteAll(ada.session)
  t.match(reply, { status: 204, json: undefined })
  await until(() => !scheduler.has(running) && !scheduler.has(waiting))
  const ended = await get(service, `/api/conversions/${others}?wait=30`, bob.session)
  t.equal(ended.json.conversion.status, 'completed', "another user's conversion is next")
  const gone = [running, waiting].map((id) => `/api/conversions/${id}`)
  t.same(await statuses(gone, ada.session), [404, 404])
  t.match(await usageOf(ada), { pendingJobs: 0 })
})

t.test('it makes everything inaccessible, and nothing of others', async (t) => {
  t.equal(
    (await call(service, 'DELETE', '/api/files/', { headers: bob.session })).status,
    404,
    'an empty id is not all',
  )
  t.same(await statuses(hers.records, ada.session), [404, 404, 404])
  t.same(await statuses(hers.downloads), [404, 404], 'signed links')
  t.same(await statuses([hers.unfinished], ada.session), [404])
  t.same((await get(service, '/api/conversions', ada.session)).json.conversions, [])
  t.same(await statuses(his.records, bob.session), [200, 200, 200])
  t.same(await statuses(his.downloads), [200, 200])
  t.equal((await send(service, his.unfinished, 5, STUB.slice(5), bob.session)).status, 200)
})

t.test('the sweeper removes the bytes', async (t) => {
  for (const sweep of [files.sweep, conversions.sweep, batches.sweep]) await sweep(Date.now(), 100)
  t.equal((await usageOf(ada)).storedBytes, 0)
  t.equal(await storedFiles(service), 8, "only bob's are left: four uploads and four results")
  t.equal(await batches.results(hers.batch), undefined)
})

t.test('a session with the fingerprint of a guest deletes what that guest made; a key does not', async (t) => {
  const device = { 'x-guest-fingerprint': 'device' }
  const { file } = await start(service, {}, device)
  const key = await makeKey(service, ada)
  const showFor = async (headers: Headers) => {
    t.equal((await deleteAll({ ...headers, ...device })).status, 204)
    return (await get(service, file.path, device)).status
  }
  t.equal(await showFor(key.bySecret), 200)
  t.equal(await showFor(bob.session), 404)
})

t.test('guests that strangers may share delete nothing', async (t) => {
  // A proxy that the service does not trust, and that does not say for whom it asks.
  const behindProxy = { 'x-forwarded-proto': 'https' }
  const { file } = await start(service, {}, behindProxy)
  const reply = await deleteAll(behindProxy)
  t.match(reply, refusal(403, 'FORBIDDEN', /x-guest-fingerprint/))
  t.equal((await get(service, file.path, behindProxy)).status, 200)
})
