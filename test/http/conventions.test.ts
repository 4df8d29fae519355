/** Conventions that clients rely on: refusals, what caches keep, paths, and error messages. */

import t, { type Test } from 'tap'
import {
  call,
  convert,
  finish,
  form,
  get,
  pathOf,
  post,
  type RawReply,
  type Reply,
  raw,
  STUB,
  serviceOf,
  start,
  upload,
} from '../harness/service.ts'
import { makeKey, signUp } from './people.ts'

const service = await serviceOf(t, { change: ({ plans }) => Object.assign(plans.guest, { conversionsPerDay: null }) })

/** Checks what every refusal must have. */
function refused(t: Test, reply: Reply, status: number, code: string, name: string): void {
  t.equal(reply.status, status, name)
  t.strictSame(Object.keys(reply.json ?? {}), ['error'], name)
  t.strictSame(Object.keys(reply.json?.error ?? {}).sort(), ['code', 'message'], name)
  t.equal(reply.json?.error.code, code, name)
  t.match(reply.headers.get('x-request-id'), /^[A-Za-z0-9._-]{1,64}$/, name)
  t.match(reply.headers.get('content-type'), /^application\/json/, name)
}

t.test('paths and methods', async (t) => {
  for (const path of ['/', '/api', '/api/files', '/api/conversions/a/b/c', '/API/tools', '/api/__proto__'])
    refused(t, await get(service, path), 404, 'NOT_FOUND', path)
  for (const path of ['/api/%zz', '/api/conversions/%ff', '/%', '/api/files/%c0%ae'])
    refused(t, await get(service, path), 400, 'BAD_REQUEST', path)
  const wrong: [string, string, string][] = [
    ['PUT', '/api/conversions', 'GET, HEAD, OPTIONS, POST'],
    ['GET', '/api/uploads', 'OPTIONS, POST'],
    ['DELETE', '/healthz', 'GET, HEAD, OPTIONS'],
  ]
  for (const [method, path, allow] of wrong) {
    const reply = await call(service, method, path)
    refused(t, reply, 405, 'METHOD_NOT_ALLOWED', `${method} ${path}`)
    t.equal(reply.headers.get('allow'), allow)
  }
  const options = await call(service, 'OPTIONS', '/api/conversions')
  t.equal(options.status, 204)
  t.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS, POST')
  refused(t, await call(service, 'OPTIONS', '/nope'), 404, 'NOT_FOUND', 'OPTIONS of nothing')
  const head = await call(service, 'HEAD', '/api/tools')
  t.equal(head.status, 200)
  t.equal(head.body.length, 0)
  t.equal((await call(service, 'HEAD', '/nope')).status, 404)
})

t.test('what a message quotes is short, and safe to print', async (t) => {
  const { file } = await start(service)
  const evil = '\u009b31m\u202egnp\u2066\u061c\u2028\ufeff\ud83d'
  const options = { [evil]: 1 }
  const item = { fileId: file.fileId, fileName: 'a', fileSize: 1, fromFormat: 'stub' }
  const files = [item, { ...item, options }]
  const replies = [
    await post(service, '/api/conversions', { fileId: file.fileId, toFormat: 'bust', options }),
    await post(service, '/api/conversions/batch', { files, toFormat: 'bust' }),
    await post(service, '/api/conversions', `{"a": "\u009b\u202e" "\u009b\u202e"}`),
    await post(service, '/api/import/url', { url: `http://${'x.'.repeat(3000)}example/` }),
  ]
  for (const { json } of replies) {
    const { message } = json.error ?? json.conversions[1].error
    t.notMatch(message, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
    t.ok(message.length <= 500, `${message.length} characters`)
  }
})

t.test('credentials', async (t) => {
  const headers: Record<string, string>[] = [
    ...['Bearer nope', 'Basic YTpi', `Bearer ${'x'.repeat(9000)}`, 'Bearer ', ''].map((authorization) => ({
      authorization,
    })),
    { 'x-api-key': 'nope' },
    { 'x-api-key': '' },
  ]
  for (const header of headers) {
    for (const path of ['/api/tools', '/api/nope']) {
      const reply = await get(service, path, header)
      refused(t, reply, 401, 'UNAUTHORIZED', `${JSON.stringify(header).slice(0, 40)} ${path}`)
      t.match(reply.headers.get('www-authenticate'), /^Bearer\b/)
    }
  }
  refused(t, await post(service, '/api/conversions', '{', { 'x-api-key': 'x' }), 401, 'UNAUTHORIZED', 'before the body')
  t.equal((await get(service, '/healthz', { authorization: 'Bearer nope' })).status, 200, 'health asks for none')
})

t.test('bodies', async (t) => {
  const { file } = await start(service)
  const put = (more: object) => post(service, '/api/conversions', { fileId: file.fileId, toFormat: 'bust', ...more })
  // test/hostile/fields.test.ts has values of all kinds.
  for (const [field, value] of Object.entries({
    fileId: 7,
    toFormat: ['bust'],
    fromFormat: '',
    fileName: null,
    fileSize: -1,
    jobIntent: 'x',
    options: [],
  })) {
    const reply = await put({ [field]: value })
    refused(t, reply, 400, 'BAD_REQUEST', `${field}: ${JSON.stringify(value)}`)
    t.ok(reply.json.error.message.startsWith(`${field} must be `), reply.json.error.message)
  }
  for (const body of ['', '[]', 'null', '{"fileId":"\u0000"}']) {
    refused(t, await post(service, '/api/conversions', body), 400, 'BAD_REQUEST', JSON.stringify(body))
  }
  t.match((await post(service, '/api/conversions', {})).json.error.message, /^fileId is missing: it must be a string/)

  const unsupported = ['text/plain', 'application/json; charset=utf-16', 'application/jsonx', ''].map((type) => ({
    'content-type': type,
  }))
  for (const headers of [...unsupported, { 'content-encoding': 'gzip' }]) {
    const reply = await post(service, '/api/conversions', '{}', headers as Record<string, string>)
    refused(t, reply, 415, 'UNSUPPORTED_MEDIA_TYPE', JSON.stringify(headers))
  }
  for (const type of ['application/json;charset=UTF-8', 'Application/JSON']) {
    const sent = { fileId: file.fileId, toFormat: 'bust' }
    const { status, json } = await post(service, '/api/conversions', sent, { 'content-type': type })
    t.equal(status, 201, type)
    // A guest has few places for those that wait.
    await finish(service, json.conversionId)
  }

  refused(t, await put({ pad: 'x'.repeat(1_100_000) }), 413, 'PAYLOAD_TOO_LARGE', 'over 1 MiB')
  t.equal((await put({ pad: 'x'.repeat(1_000_000) })).status, 201, 'unknown keys are ignored')
  const json = { 'content-type': 'application/json' }
  const body = ReadableStream.from(Array.from({ length: 30 }, () => Buffer.alloc(1e6, ' ')))
  refused(
    t,
    await call(service, 'POST', '/api/conversions', { body, headers: json, duplex: 'half' } as RequestInit),
    413,
    'PAYLOAD_TOO_LARGE',
    'chunked',
  )

  const text = `{"fileId":${JSON.stringify(file.fileId)},"toFormat":"bust","options":{"__proto__":{"sleep":5}}}`
  refused(t, await post(service, '/api/conversions', text), 400, 'UNKNOWN_OPTION', 'options.__proto__')
  const inherited = await post(service, '/api/conversions', '{"__proto__":{"fileId":"x","toFormat":"y"}}')
  refused(t, inherited, 400, 'BAD_REQUEST', 'nothing is inherited')
})

t.test('a refusal keeps the connection open if the body is small', async (t) => {
  const request = 'POST /api/nope HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello'
  const reply = await raw(
    service.port,
    `${request}GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    300,
  )
  t.strictSame(
    [...reply.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    ['404', '200'],
  )
})

t.test('malformed requests', async (t) => {
  const cases: [string, string, number, string][] = [
    ['a malformed request line', 'GARBAGE\r\n\r\n', 400, 'BAD_REQUEST'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n', 400, 'BAD_REQUEST'],
    [
      'a huge header',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`,
      431,
      'REQUEST_HEADER_FIELDS_TOO_LARGE',
    ],
    ['TLS', '\u0016\u0003\u0001\u0000\u00a5\u0001\u0000\u0000\u00a1', 400, 'BAD_REQUEST'],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
  ]
  for (const [name, bytes, status, code] of cases) {
    const reply: RawReply = await raw(service.port, bytes)
    t.equal(reply.status, status, name)
    t.strictSame(Object.keys(reply.json ?? {}), ['error'], name)
    t.equal(reply.json?.error.code, code, name)
    t.match(reply.head, /x-request-id: [\w-]+/i, name)
    t.match(reply.head, /content-type: application\/json/i, name)
    t.match(reply.head, /connection: close/i, name)
  }
  t.match((await raw(service.port, cases.at(-1)![1])).head, /^allow: GET, HEAD, POST, PUT, PATCH, DELETE\r$/im)
  t.equal((await get(service, '/healthz')).status, 200, 'the service lives on')
})

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
  t.match(await message('{"fileId": "a",}'), /^The body must be valid JSON, in UTF-8: .* at position 15/)
  t.match(await message('{"fileId": "a", "toFormat": png}'), /Unexpected token 'p'/)
  t.match(await message(''), /Unexpected end of JSON input$/)
  t.match(await message('['.repeat(500_000)), /^The body must be valid JSON/)
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
