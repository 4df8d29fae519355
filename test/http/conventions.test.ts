/** Conventions that clients rely on: caching, names, paths, and error messages. */
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import {
  call,
  convert,
  form,
  get,
  pathOf,
  post,
  raw,
  STUB,
  serviceOf,
  startService,
  upload,
} from '../harness/service.ts'
import { makeKey, signUp } from './people.ts'

const service = await serviceOf(t)

/** One GET as sent over the wire: fetch would add headers and decompress the body. */
async function plain(path: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    headers: Record<string, string | undefined>
    body: Buffer
  }>()
  request(service.base + path, { headers }, (res) => {
    const chunks: Buffer[] = []
    res.on('data', (chunk) => chunks.push(chunk))
    res.on('end', () =>
      resolve({ status: res.statusCode!, headers: res.headers as never, body: Buffer.concat(chunks) }),
    )
  })
    .on('error', reject)
    .end()
  return promise
}

t.test('the catalogue is compressed with an encoding that the client accepts', async (t) => {
  for (const path of ['/api/tools', '/api/openapi.json']) {
    const whole = await plain(path)
    t.match(whole.headers, { vary: /Accept-Encoding/i, 'cache-control': 'no-cache', etag: /^W\/"/ }, path)
    t.notOk(whole.headers['content-encoding'])
    for (const [accepted, encoding, decode] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const small = await plain(path, { 'accept-encoding': accepted })
      t.equal(small.headers['content-encoding'], encoding, accepted)
      t.equal(Number(small.headers['content-length']), small.body.length)
      t.ok(small.body.length < whole.body.length / 2, `${small.body.length} of ${whole.body.length} bytes`)
      t.same(decode(small.body), whole.body)
      t.equal(small.headers.etag, whole.headers.etag)
    }
    t.notOk((await plain(path, { 'accept-encoding': 'identity' })).headers['content-encoding'])
  }
})

t.test('a cached catalogue stays valid until an operator disables a tool', async (t) => {
  for (const path of ['/api/tools?limit=2', '/api/tools/stub-to-bust', '/api/formats', '/api/openapi.json']) {
    const { headers } = await plain(path)
    const again = await plain(path, { 'if-none-match': headers.etag! })
    t.match({ ...again, body: again.body.length }, { status: 304, body: 0, headers: { etag: headers.etag } }, path)
    t.notOk(again.headers['content-type'])
    t.equal((await plain(path, { 'if-none-match': '"other"' })).status, 200)
  }
  const { etag } = (await plain('/api/tools')).headers
  service.kernel.catalogue.close(new Set(['stub-to-bust']))
  const changed = await plain('/api/tools', { 'if-none-match': etag!, 'accept-encoding': 'gzip' })
  t.equal(changed.status, 200)
  t.equal(JSON.parse(gunzipSync(changed.body).toString()).tools.at(-1).enabled, false)
  service.kernel.catalogue.close(new Set())
  t.equal((await plain('/api/tools', { 'if-none-match': etag! })).status, 304)
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

t.test('slugs may have aliases', async (t) => {
  for (const slug of ['stb-to-bust', 'STB-to-BUST', 'stub-to-bust']) {
    t.equal((await get(service, `/api/tools/${slug}`)).json.tool?.slug, 'stub-to-bust', slug)
  }
  t.equal((await get(service, '/api/tools/optimize-stb')).json.tool?.slug, 'optimize-stub')
  for (const slug of ['stb-to-stub', 'stb-to-nosuch', 'nosuch-to-bust', 'optimize-nosuch', '-to-', 'stb']) {
    t.equal((await get(service, `/api/tools/${slug}`)).status, 404, slug)
  }
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
  for (const path of ['uploads/2026/01/01/none', 'uploads/x/y', 'elsewhere/2026/01/01/a/b.c/download', 'a/b']) {
    t.equal((await get(service, `/api/files/${path}`)).status, 404, path)
  }
  const put = await call(service, 'PUT', `/api/files/${own.fileId}`)
  t.match(put, { status: 405, json: { error: { message: 'PUT is not allowed here; allowed: DELETE, GET, HEAD' } } })
})

t.test('the URL of a result names the conversion, in a batch the storage key', async (t) => {
  const { file } = (await upload(service)).json
  const item = { fileId: file.fileId, fileName: 'a.stub', fileSize: file.size, fromFormat: 'stub' }
  const { batchId, conversions } = (await post(service, '/api/conversions/batch', { files: [item], toFormat: 'bust' }))
    .json
  const polled = (await get(service, `/api/conversions/${conversions[0].conversionId}?wait=30`)).json.conversion
  const [inBatch] = (await get(service, `/api/conversions/batch/${batchId}`)).json.batch.conversions
  const [listed] = (await get(service, '/api/conversions')).json.conversions
  const name = (url: string) => new URL(url).pathname.split('/')[3]
  t.equal(name(polled.outputUrl), polled.id)
  t.equal(name(listed.outputUrl), polled.id)
  t.equal(name(inBatch.outputUrl), encodeURIComponent(polled.outputFileId))
  const bytes = await Promise.all([polled, inBatch].map(({ outputUrl }) => get(service, pathOf(outputUrl))))
  t.same(bytes[0]!.body, bytes[1]!.body)
  t.equal(bytes[1]!.status, 200)
})

t.test('a conversion always has an error, null unless it failed', async (t) => {
  const { conversion } = await convert(service)
  t.equal(conversion.error, null)
  t.match((await convert(service, { options: { fail: 'refuse' } })).conversion.error, { code: 'CONVERSION_ERROR' })
  for (const { status, error } of (await get(service, '/api/conversions')).json.conversions) {
    t.equal(error === null, status !== 'failed', status)
  }
})

t.test('keys above the limit of a lowered plan stop working', async (t) => {
  const ada = await signUp(service, 'business')
  const keys: Awaited<ReturnType<typeof makeKey>>[] = []
  for (let n = 0; n < 7; n++) keys.push(await makeKey(service, ada, { name: `${n}` }))
  const works = async () => {
    const replies = await Promise.all(keys.map(({ bySecret }) => get(service, '/api/conversions', bySecret)))
    return replies.map(({ status }) => (status === 200 ? 'works' : status)).join(' ')
  }
  const over = async () =>
    (await get(service, '/api/api-keys', ada.session)).json.apiKeys.map(({ overLimit = false }: any) => overLimit)
  t.equal(await works(), Array(7).fill('works').join(' '))
  t.same(await over(), Array(7).fill(false))
  const { users } = service.kernel.accounts
  await users.change(ada.id, { plan: 'pro' })
  t.equal(await works(), 'works works works works works 401 401')
  t.same(await over(), [false, false, false, false, false, true, true])
  t.equal((await get(service, '/api/conversions', keys[6]!.byBearer)).status, 401)
  t.equal((await post(service, '/api/api-keys', { name: 'more' }, ada.session)).status, 403)
  // If an older key is deleted, the next one works again.
  await call(service, 'DELETE', `/api/api-keys/${keys[0]!.id}`, { headers: ada.session })
  t.equal(await works(), '401 works works works works works 401')
  await users.change(ada.id, { plan: 'free' })
  t.equal(await works(), Array(7).fill(401).join(' '))
  await users.change(ada.id, { plan: 'business' })
  t.equal(await works(), '401 works works works works works works')
})

t.test('error messages say what is wrong, and where', async (t) => {
  const message = async (body: string) => (await post(service, '/api/conversions', body)).json.error.message
  t.match(await message('{"fileId": "a",}'), /unexpected "}" at position 15$/)
  t.match(await message('{"fileId": x}'), /unexpected "x" at position 11$/)
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
  const ada = await signUp(service, 'pro')
  for (const expiresAt of ['2020-01-01', '2020-01-01T00:00:00Z', 'soon']) {
    const refused = await post(service, '/api/api-keys', { name: 'x', expiresAt }, ada.session)
    t.match(refused.json.error.message, /in the future/, expiresAt)
  }
  const { fileId } = (await upload(service)).json.file
  for (const toFormat of ['.bust', ' Bust ', 'text/x-bust']) {
    const refused = await post(service, '/api/conversions', { fileId, toFormat })
    t.match(refused.json.error, { code: 'UNSUPPORTED_FORMAT', message: /write it as "bust"$/ }, toFormat)
  }
})

t.test('the name given at the start decides if the content does not', async (t) => {
  await using texts = await startService({
    engines: true,
    change: ({ plugins }) => {
      plugins.document = true
    },
  })
  const send = async (bytes: string | Uint8Array<ArrayBuffer>, name: string) =>
    (await upload(texts, form(bytes, name))).json.file
  const begin = async (fileId: string, more: object, wait = 0) => {
    const started = await post(texts, '/api/conversions', { fileId, toFormat: 'html', ...more })
    const path = `/api/conversions/${started.json.conversionId}`
    const { conversion } = (await get(texts, `${path}?wait=${wait}`)).json
    if (!wait) await call(texts, 'DELETE', path)
    return conversion
  }
  const blob = await send('# Heading\n\nWords.\n', 'blob')
  t.equal(blob.format, 'txt')
  const asMarkdown = await begin(blob.fileId, { fileName: 'notes.md' }, 30)
  t.match(asMarkdown, { fromFormat: 'md', status: 'completed' })
  t.match((await get(texts, pathOf(asMarkdown.outputUrl))).body.toString(), /<h1[^>]*>Heading<\/h1>/)
  t.match(await begin(blob.fileId, { fileName: 'notes.markdown' }), { fromFormat: 'md' }, 'an alias')
  t.match(await begin(blob.fileId, {}), { fromFormat: 'txt' }, 'without a name as detected')
  t.match(await begin(blob.fileId, { fileName: 'notes' }), { fromFormat: 'txt' }, 'a name that says nothing')
  // FromFormat wins.
  t.match(await begin(blob.fileId, { fileName: 'notes.md', fromFormat: 'txt' }), { fromFormat: 'txt' })
  t.match(await begin(blob.fileId, { fileName: 'notes.docx' }), { fromFormat: 'txt' }, 'a format with a signature')
  t.match(await begin(blob.fileId, { fileName: 'notes.pages' }), { fromFormat: 'txt' }, 'a format that is refused')
  const named = await send('# Heading\n\nWords.\n', 'notes.md')
  t.match(await begin(named.fileId, { fileName: 'report' }), { fromFormat: 'md' }, 'the name of the upload stands')
  const rich = await send('{\\rtf1\\ansi Words.\\par}', 'blob')
  t.equal(rich.format, 'rtf')
  t.match(await begin(rich.fileId, { fileName: 'notes.md' }), { fromFormat: 'rtf' }, 'a signature is not overridden')
})
