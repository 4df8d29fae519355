import t from 'tap'
import { call, form, get, pathOf, post, refusal, serviceOf, upload } from '../harness/service.ts'
import { signUp } from './people.ts'

const service = await serviceOf(t, {
  change({ plans, queue }) {
    plans.guest = { ...plans.guest, conversionsPerDay: null, bytesPerDay: null }
    queue.workers = 4
  },
})

/** Uploads a file and returns it as an entry of a batch. */
async function item(headers: Record<string, string> = {}, more: object = {}) {
  const { file } = (await upload(service, form('STUB\ntext', 'note.stub'), headers)).json
  return { fileId: file.fileId, fileName: file.originalName, fileSize: file.size, fromFormat: file.format, ...more }
}

const send = (files: unknown, more: object = {}, headers: Record<string, string> = {}) =>
  post(service, '/api/conversions/batch', { files, toFormat: 'bust', ...more }, headers)

const show = async (id: string, headers: Record<string, string> = {}) =>
  (await get(service, `/api/conversions/batch/${id}`, headers)).json.batch

const finish = (id: string, headers: Record<string, string> = {}) =>
  get(service, `/api/conversions/${id}?wait=30`, headers)

t.test('each file becomes a conversion, in order', async (t) => {
  const a = await item()
  const b = await item({}, { fileName: 'second.stub', options: { sleep: 1 } })
  const { status, json, headers } = await send([a, b], { options: { sleep: 300, fork: 0 } })
  t.equal(status, 201)
  t.match(json.batchId, /^batch_[0-9a-f]{32}$/)
  t.equal(headers.get('location'), `/api/conversions/batch/${json.batchId}`)
  t.match(json.conversions, [
    { fileId: a.fileId, fileName: 'note.stub', conversionId: /^conv_/, queued: Boolean, queueDepth: Number },
    { fileId: b.fileId, fileName: 'second.stub', conversionId: /^conv_/ },
  ])
  const running = await show(json.batchId)
  t.match(running, { id: json.batchId, status: /queued|processing/, total: 2, completed: 0, failed: 0 })
  t.ok(running.progress < 100)
  for (const { conversionId } of json.conversions) await finish(conversionId)
  const done = await show(json.batchId)
  t.match(done, { status: 'completed', total: 2, completed: 2, failed: 0, progress: 100 })
  t.match(done.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const ids = json.conversions.map(({ conversionId }: any) => ({ id: conversionId }))
  t.match(done.conversions, ids, 'in this order')
  const [{ outputFileId }, { outputUrl }] = done.conversions
  t.match(done.conversions[0].outputUrl, encodeURIComponent(outputFileId), 'its URL names the storage key')
  const download = await get(service, pathOf(outputUrl))
  t.match(download.headers.get('content-disposition'), /second\.bust/)
})

t.test('a file that is refused does not stop the others', async (t) => {
  const good = await item()
  for (const [bad, code] of [
    [{ ...good, fileId: 'uploads/none' }, 'NOT_FOUND'],
    [{ ...good, fileSize: 9e9 }, 'FILE_TOO_LARGE'],
    [{ ...good, fromFormat: 'nosuch' }, 'UNSUPPORTED_FORMAT'],
  ] as const) {
    const { status, json } = await send([bad, good])
    t.equal(status, 201, code)
    t.strictSame(Object.keys(json.conversions[0]), ['fileId', 'fileName', 'error'])
    t.match(json.conversions[0].error, { code, message: /\w+ / })
    t.match(json.conversions[1], { conversionId: /^conv_/ })
    await finish(json.conversions[1].conversionId)
    t.match(await show(json.batchId), { total: 1, completed: 1, failed: 0 }, 'only accepted ones are of the batch')
  }
})

t.test('if no file is accepted, the answer is the first error, and nothing is stored', async (t) => {
  const good = await item()
  t.match(await send([good, { ...good, fileId: 'none' }], { toFormat: 'stub' }), refusal(400, 'SAME_FORMAT_NOOP'))
  t.match(await send([{ ...good, fileId: 'none' }, good], { toFormat: 'stub' }), refusal(404, 'NOT_FOUND'))
  // An intent is shared.
  const same = await send([good, good], { toFormat: 'stub', jobIntent: 'transform' })
  for (const { conversionId } of same.json.conversions) t.equal((await finish(conversionId)).status, 200)
  service.kernel.config.plans.guest.conversionsPerDay = 0
  const refused = await send([good])
  service.kernel.config.plans.guest.conversionsPerDay = null
  t.match(refused, refusal(429, 'QUOTA_EXCEEDED'))
  t.ok(Number(refused.headers.get('retry-after')) > 0)
})

t.test('an invalid body is refused with the name of the wrong field', async (t) => {
  const good = await item()
  const without = (key: string) => Object.fromEntries(Object.entries(good).filter(([name]) => name !== key))
  for (const [files, message] of [
    [undefined, 'files is missing: it must be a list of 1 or more entries'],
    [[], 'files must be a list of 1 or more entries'],
    [[null], 'files[0] must be a JSON object'],
    [[good, without('fileId')], 'files[1].fileId is missing: it must be a string that is not empty'],
    [[without('fileSize')], 'files[0].fileSize is missing: it must be an integer of at least 0'],
    [[{ ...good, options: [] }], 'files[0].options must be a JSON object'],
  ] as const) {
    t.match(await send(files), { status: 400, json: { error: { code: 'BAD_REQUEST', message } } }, message)
  }
  t.match(await send([good], { options: 7 }), refusal(400, 'BAD_REQUEST'))
  t.match(await send([good], { toFormat: undefined }), refusal(400, 'BAD_REQUEST'))
})

t.test('the plan limits the batch size; null removes the limit', async (t) => {
  const { guest } = service.kernel.config.plans
  const one = await item()
  t.match(await send(Array(3).fill(one)), refusal(400, 'BATCH_TOO_LARGE'))
  guest.filesPerBatch = null
  const all = (await send(Array(30).fill(one), { options: { sleep: 60_000 } })).json.conversions
  guest.filesPerBatch = 2
  const accepted = all.filter(({ conversionId }: any) => conversionId)
  t.match([all.length, accepted.length], [30, guest.pendingJobs])
  for (const { conversionId } of accepted) await call(service, 'DELETE', `/api/conversions/${conversionId}`)
})

// test/jobs/quotas.test.ts has refunds.
t.test('each file counts towards the pending limit and the quota', async (t) => {
  const user = await signUp(service)
  await service.kernel.accounts.users.change(user.id, { verified: true })
  service.kernel.config.plans.free.conversionsPerDay = 12
  const one = await item(user.session)
  const codes = ({ json }: { json: any }) => json.conversions.map((each: any) => each.error?.code ?? 'ok')
  const first = await send(Array(5).fill(one), {}, user.session)
  for (const { conversionId } of first.json.conversions) await finish(conversionId, user.session)
  const slow = { options: { sleep: 60_000 } }
  const second = await send(Array(5).fill(one), slow, user.session)
  const me = async () => (await get(service, '/api/users/me', user.session)).json.usage
  t.match(await me(), { conversionsToday: 10, bytesToday: 10 * one.fileSize, pendingJobs: 5 })
  const third = await send(Array(5).fill(one), slow, user.session)
  t.strictSame(codes(third), ['ok', 'ok', 'QUOTA_EXCEEDED', 'QUOTA_EXCEEDED', 'QUOTA_EXCEEDED'])
  service.kernel.config.plans.free.conversionsPerDay = null
  const fourth = await send(Array(5).fill(one), slow, user.session)
  t.strictSame(codes(fourth), ['ok', 'ok', 'ok', 'QUEUE_FULL_USER', 'QUEUE_FULL_USER'])
  for (const { conversionId = '' } of [second, third, fourth].flatMap(({ json }) => json.conversions).toReversed())
    await call(service, 'DELETE', `/api/conversions/${conversionId}`, { headers: user.session })
  const ended = { status: 'completed', total: 5, completed: 0, failed: 5, progress: 100 }
  t.match(await show(second.json.batchId, user.session), ended)
})

t.test('options of a file override the shared ones; counts stay, and end with the batch', async (t) => {
  const { json } = await send([await item(), await item({}, { options: { sleep: 1 } })], {
    options: { fail: 'refuse' },
  })
  const own = await send([await item({}, { options: { fail: 'encrypted' } })], { options: { fail: 'refuse' } })
  const { conversion } = (await finish(own.json.conversions[0].conversionId)).json
  t.equal(conversion.error.code, 'ENCRYPTED_INPUT')
  for (const { conversionId } of json.conversions) {
    t.equal((await finish(conversionId)).json.conversion.error.code, 'CONVERSION_ERROR')
    await call(service, 'DELETE', `/api/conversions/${conversionId}`)
  }
  t.match(await show(json.batchId), { status: 'completed', total: 2, failed: 2, progress: 100, conversions: [] })
  const { batches } = service.kernel
  t.equal(await batches.sweep(Date.now(), 100), 0)
  t.ok((await batches.sweep(Date.now() + 86_400_000 * 2, 100)) > 0)
  t.match(await get(service, `/api/conversions/batch/${json.batchId}`), refusal(404, 'NOT_FOUND'))
})
