import t from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import {
  call,
  finish,
  form,
  get,
  post,
  refusal,
  type Service,
  STUB,
  serviceOf,
  storedFiles,
  upload,
} from '../harness/service.ts'
import { until } from '../harness/until.ts'

// test/http/document.test.ts asks every operation with a key.
const service = await serviceOf(t, {
  change(config) {
    config.plans.guest = { ...config.plans.guest, conversionsPerDay: null, filesPerBatch: 10, pendingJobs: null }
  },
})

/** A guest whose keys nobody else uses. */
const guest = (name: string, key?: string) => ({
  'x-guest-fingerprint': name,
  ...(key !== undefined && { 'idempotency-key': key }),
})

const ids = async (who: Record<string, string>, on: Service = service) =>
  (await get(on, '/api/conversions', who)).json.conversions.map(({ id }: { id: string }) => id)

const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed')

t.test('an upload that comes again', async (t) => {
  const me = guest('uploader', 'u-1')
  const before = await storedFiles(service)
  const first = await upload(service, form(STUB), me)
  t.strictSame([first.status, replayed(first)], [201, null])
  const second = await upload(service, form(STUB), me)
  t.strictSame([second.status, second.json, replayed(second)], [201, first.json, 'true'])
  t.equal(second.headers.get('location'), first.headers.get('location'))
  t.equal(await storedFiles(service), before + 1, 'is kept once')
  for (const other of [form(STUB.replace('O', 'o')), form(STUB, 'other.stub')])
    t.match(await upload(service, other, me), refusal(422, 'IDEMPOTENCY_KEY_REUSED'))
  t.equal(await storedFiles(service), before + 1, 'another file is not kept')
  t.equal(replayed(await upload(service, form(STUB), guest('somebody else', 'u-1'))), null, 'keys are their owner’s')
  t.equal(replayed(await upload(service, form(STUB), guest('uploader', '"u-1"'))), 'true', 'quoted is the same')
  t.equal((await call(service, 'DELETE', '/api/files/all', { headers: guest('uploader') })).status, 204)
  t.equal(replayed(await upload(service, form(STUB), me)), null, 'deleting all files forgets the keys')
})

t.test('many at the same time start one', async (t) => {
  const me = guest('crowd', 'c-2')
  const { file } = (await upload(service, form(STUB), guest('crowd'))).json
  const body = { fileId: file.fileId, toFormat: 'bust' }
  const replies = await Promise.all(Array.from({ length: 12 }, () => post(service, '/api/conversions', body, me)))
  const accepted = replies.filter(({ status }) => status === 201)
  for (const busy of replies.filter(({ status }) => status !== 201)) {
    t.match(busy, refusal(409, 'IDEMPOTENCY_KEY_IN_USE'))
    t.match(busy.headers.get('retry-after'), /^[1-5]$/)
  }
  t.ok(accepted.length >= 1)
  t.equal(new Set(accepted.map(({ json }) => json.conversionId)).size, 1)
  t.equal((await ids(guest('crowd'))).length, 1)
})

t.test('a refused request frees its key', async (t) => {
  const me = guest('refused', 'r-1')
  const { file } = (await upload(service, form(STUB), guest('refused'))).json
  const bad = await post(service, '/api/conversions', { fileId: file.fileId, toFormat: 'nosuch' }, me)
  t.match(bad, refusal(400, 'UNSUPPORTED_FORMAT'))
  const good = await post(service, '/api/conversions', { fileId: file.fileId, toFormat: 'bust' }, me)
  t.strictSame([good.status, replayed(good)], [201, null])
})

t.test('the one call', async (t) => {
  const me = guest('caller', 'o-1')
  const send = (sleep = 0, headers: Record<string, string> = {}, signal?: AbortSignal) => {
    const body = form(STUB)
    body.append('toFormat', 'bust')
    body.append('options', JSON.stringify({ sleep }))
    return call(service, 'POST', '/api/convert', { body, headers: { ...me, ...headers }, ...(signal && { signal }) })
  }
  const first = await send()
  const second = await send()
  t.strictSame([second.status, second.body, replayed(second)], [200, first.body, 'true'])
  t.equal(second.headers.get('location'), first.headers.get('location'))
  t.match((await send(0, { accept: 'application/json' })).json.conversion, { status: 'completed' })
  t.match(await send(1), refusal(422, 'IDEMPOTENCY_KEY_REUSED'))
  t.equal((await ids(guest('caller'))).length, 1)

  const leaving = new AbortController()
  const key = { 'idempotency-key': 'o-2' }
  const left = send(60_000, key, leaving.signal).catch(() => 'left')
  await until(async () => (await ids(guest('caller'))).length === 2)
  t.match(await send(60_000, key), refusal(409, 'IDEMPOTENCY_KEY_IN_USE'))
  leaving.abort()
  t.equal(await left, 'left')
  const cancelled = async () => (await get(service, '/api/conversions?status=failed', guest('caller'))).json.conversions
  await until(async () => (await cancelled()).length === 1)
  // It was cancelled when its client left, so the one that asks again starts another one.
  const again = new AbortController()
  t.teardown(() => again.abort())
  void send(60_000, key, again.signal).catch(() => {})
  await until(async () => (await ids(guest('caller'))).length === 3)
})

t.test('a request that a crash has interrupted has its effect once', async (t) => {
  const me = guest('unlucky', 'i-1')
  const { file } = (await upload(service, form(STUB), me)).json
  const item = { fileId: file.fileId, fileName: 'note.stub', fileSize: file.size, fromFormat: 'stub' }
  const start = () => post(service, '/api/conversions', { fileId: file.fileId, toFormat: 'bust' }, me)
  const batch = () => post(service, '/api/conversions/batch', { files: [item, item], toFormat: 'bust' }, me)
  const started = (await start()).json
  const begun = (await batch()).json
  const before = await storedFiles(service)

  // As the records are when the service is killed before it answers.
  const database = await openDatabase({ url: service.kernel.config.databaseUrl, dataDir: service.dataDir })
  t.ok((await database('idempotency_keys').whereNotNull('record').update({ answer: null })) > 2)
  await database.destroy()

  t.equal((await start()).json.conversionId, started.conversionId, 'a conversion goes on')
  const renewed = (await batch()).json
  t.not(renewed.batchId, begun.batchId)
  t.strictSame(
    (await ids(guest('unlucky'))).toSorted(),
    [started, ...renewed.conversions].map(({ conversionId }) => conversionId).toSorted(),
    'a batch begins anew, without what was begun',
  )
  for (const { conversionId } of renewed.conversions) await finish(service, conversionId, me)
  const again = (await upload(service, form(STUB), me)).json.file
  t.not(again.fileId, file.fileId)
  t.equal((await get(service, file.path, me)).status, 404, 'so does an upload')
  t.ok((await storedFiles(service)) <= before + 3)
})

t.test('bad keys', async (t) => {
  for (const key of ['', 'ä', 'x'.repeat(256), '"open', 'in"side'])
    t.match(await upload(service, form(STUB), guest('bad', key)), refusal(400, 'BAD_REQUEST', /Idempotency-Key/), key)
  t.equal((await upload(service, form(STUB), guest('bad', 'x'.repeat(255)))).status, 201)
})
