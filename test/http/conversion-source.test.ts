/** The upload that a conversion read, while it is kept. */
import t from 'tap'
import { call, convert, get, startService } from '../harness/service.ts'

const service = await startService()
t.teardown(() => service[Symbol.asyncDispose]())

t.test('the source of a conversion, for its owner, until it is removed', async (t) => {
  const { conversion } = await convert(service)
  const path = `/api/conversions/${conversion.id}/source`
  const { status, json } = await get(service, path)
  t.equal(status, 200)
  t.match(json, { file: { fileId: /^uploads\//, format: 'stub' } })
  t.match(await get(service, path, { 'x-guest-fingerprint': 'other' }), {
    status: 404,
    json: { error: { code: 'NOT_FOUND' } },
  })
  t.match(await get(service, '/api/conversions/conv_none/source'), { status: 404 })
  await call(service, 'DELETE', `/api/files/${encodeURIComponent(json.file.fileId)}`)
  t.match(await get(service, path), { status: 404, json: { error: { code: 'NOT_FOUND' } } })
})
