/** Conventions that clients rely on: what caches keep, paths, and error messages. */
import t from 'tap'
import { call, convert, form, get, pathOf, post, raw, STUB, serviceOf, upload } from '../harness/service.ts'
import { makeKey, signUp } from './people.ts'

const service = await serviceOf(t)

t.test('caches keep no tokens, keys or private records', async (t) => {
  const { conversion, download, file } = await convert(service)
  const ada = await signUp(service, 'pro')
  const login = await post(service, '/api/auth/login', { email: ada.email, password: 'correct horse battery' })
  for (const reply of [
    login,
    await post(service, '/api/api-keys', { name: 'x' }, ada.session),
    await get(service, '/api/api-keys', ada.session),
    await get(service, `/api/conversions/${conversion.id}`),
    await get(service, '/api/conversions'),
    await get(service, file.path),
    await get(service, '/api/conversions/conv_none'),
  ]) {
    t.equal(reply.headers.get('cache-control'), 'no-store')
  }
  t.match((await get(service, download)).headers.get('cache-control'), /private/)
})

t.test('a proxy may decode the slashes of a storage key', async (t) => {
  const { conversion, file } = await convert(service)
  const bytes = { upload: STUB, output: (await get(service, pathOf(conversion.outputUrl))).body.toString() }
  const ada = await signUp(service)
  const own = (await upload(service, form(STUB), ada.session)).json.file
  t.same((await get(service, `/api/files/${file.fileId}`)).json, { file })
  t.equal((await get(service, `/api/files/${own.fileId}/download`, ada.session)).body.toString(), bytes.upload)
  const token = new URL(conversion.outputUrl).search
  const output = await get(service, `/api/files/${conversion.outputFileId}/download${token}`)
  t.same([output.status, output.body.toString()], [200, bytes.output])
  t.equal((await call(service, 'DELETE', `/api/files/${file.fileId}`)).status, 204)
  t.equal((await get(service, file.path)).status, 404)
  for (const path of ['uploads/x/y', 'elsewhere/2026/01/01/a/b.c/download', 'a/b'])
    t.equal((await get(service, `/api/files/${path}`)).status, 404, path)
  const put = await call(service, 'PUT', `/api/files/${own.fileId}`)
  t.match(put, { status: 405, json: { error: { message: 'PUT is not allowed here; allowed: DELETE, GET, HEAD' } } })
})

t.test('keys above the limit of a lowered plan stop working', async (t) => {
  const ada = await signUp(service, 'business')
  const keys: Awaited<ReturnType<typeof makeKey>>[] = []
  for (let n = 0; n < 7; n++) keys.push(await makeKey(service, ada, { name: `${n}` }))
  const works = async () => {
    const replies = await Promise.all(keys.map(({ bySecret }) => get(service, '/api/conversions', bySecret)))
    return replies.map(({ status }) => status)
  }
  const { users } = service.kernel.accounts
  await users.change(ada.id, { plan: 'pro' })
  t.same(await works(), [200, 200, 200, 200, 200, 401, 401])
  const { apiKeys } = (await get(service, '/api/api-keys', ada.session)).json
  t.same(
    apiKeys.map(({ overLimit = false }: any) => overLimit),
    [false, false, false, false, false, true, true],
  )
  // If an older key is deleted, the next one works again.
  await call(service, 'DELETE', `/api/api-keys/${keys[0]!.id}`, { headers: ada.session })
  t.same(await works(), [401, 200, 200, 200, 200, 200, 401])
})

t.test('error messages say what is wrong, and where', async (t) => {
  const message = async (body: string) => (await post(service, '/api/conversions', body)).json.error.message
  t.match(await message('{"fileId": "a",}'), /unexpected "}" at position 15$/)
  t.match(await message('{"fileId": "a"'), /it ends too early, at position 14$/)
  t.match(await message(''), /it ends too early, at position 0$/)
  t.match(await message('['.repeat(500_000)), /^The body must be valid JSON/)
  t.match(await message(`{"a": x}${' '.repeat(70_000)}`), /unexpected "x" at position 6$/)
  for (const text of [`${' '.repeat(70_000)}x`, `{"a": "${'b'.repeat(70_000)}`, `${' '.repeat(65_534)}true x`])
    t.match(await message(text), /in UTF-8$/, 'the place of a fault is looked for in 64 KiB')
  const head =
    'POST /api/conversions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n'
  t.equal(
    (await raw(service.port, head, Buffer.from([0xc3, 0x28]))).json.error.message,
    'The body must be valid JSON, in UTF-8',
  )
  const { fileId } = (await upload(service)).json.file
  for (const toFormat of ['.bust', ' Bust ', 'text/x-bust']) {
    const refused = await post(service, '/api/conversions', { fileId, toFormat })
    t.match(refused.json.error, { code: 'UNSUPPORTED_FORMAT', message: /write it as "bust"$/ }, toFormat)
  }
})
