import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { makeCertificate } from '../harness/servers/certificate.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { call, get, post, refusal, STUB, serviceOf } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const LIMIT = 200_000
const service = await serviceOf(t, {
  change: (config) => {
    config.plans.guest.maxFileSize = LIMIT
    config.imports.allowNetworks = ['127.0.0.1', '127.0.0.3']
  },
})

/** A second origin, the target of redirects. */
const other = await startOrigin((_req, res) => void res.end(STUB))
t.teardown(() => other[Symbol.asyncDispose]())

/** 50 MB, compressed to 50 kB. */
const bomb = gzipSync(Buffer.alloc(50_000_000))
let dripping = 0
const origin = await startOrigin(async (req, res) => {
  const url = new URL(req.url!, 'http://x')
  const say = (headers: Record<string, string>, body: string | Buffer = STUB) =>
    void res.writeHead(200, headers).end(body)
  const redirect = (location: string, status = 302) => void res.writeHead(status, { location }).end('elsewhere')
  if (url.pathname === '/disposition') return say({ 'content-disposition': url.searchParams.get('value')! })
  if (url.pathname === '/redirect')
    return redirect(url.searchParams.get('to')!, Number(url.searchParams.get('status') ?? 302))
  if (url.pathname.startsWith('/hops/')) {
    const left = Number(url.pathname.slice(6))
    return left ? redirect(`/hops/${left - 1}`) : say({})
  }
  if (url.pathname === '/sized') {
    const body = STUB.padEnd(Number(url.searchParams.get('bytes')), '.')
    if (!url.searchParams.has('chunked')) return say({ 'content-length': String(body.length) }, body)
    res.write(body.slice(0, 100))
    return void res.end(body.slice(100))
  }
  if (url.pathname === '/endless') {
    res.writeHead(200)
    while (!res.destroyed) {
      if (!res.write(Buffer.alloc(65_536, '.'))) await setTimeout(1)
    }
    return
  }
  if (url.pathname === '/drip') {
    res.writeHead(200).write(STUB)
    dripping++
    return void res.once('close', () => dripping--)
  }
  if (url.pathname === '/silent') return
  if (url.pathname === '/cut')
    return void res.writeHead(200, { 'content-length': '1000' }).write(STUB, () => res.destroy())
  if (url.pathname === '/bomb') return say({ 'content-encoding': url.searchParams.get('encoding')! }, bomb)
  if (url.pathname === '/status') return void res.writeHead(Number(url.searchParams.get('code'))).end(STUB)
  if (url.pathname === '/empty') return say({}, '')
  if (url.pathname === '/pieces') {
    const pieces = '1\r\n.\r\n'.repeat(Number(url.searchParams.get('count')))
    const head = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nSTUB\n\r\n`
    return void req.socket.end(`${head}${pieces}0\r\n\r\n`)
  }
  if (url.pathname === '/hints') return void req.socket.end('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000))
  if (url.pathname === '/garbage') return void req.socket.end('SSH-2.0-OpenSSH_9.2\r\n')
  say({})
})
t.teardown(() => origin[Symbol.asyncDispose]())

const fetchUrl = (path: string, more: object = {}) =>
  post(service, '/api/import/url', { url: path.startsWith('/') ? origin.base + path : path, ...more })

const incoming = () => readdir(join(service.dataDir, 'incoming'))

t.test('an imported file is stored like an upload', async (t) => {
  const reply = await fetchUrl('/docs/Once%20upon%20a%20time.stub?version=3#part')
  t.equal(reply.status, 201)
  t.match(reply.json, {
    file: { originalName: 'Once upon a time.stub', size: STUB.length, format: 'stub', category: 'stub' },
    detection: { extension: 'stub', mimeType: 'text/x-stub', category: 'stub' },
    suggestions: ['bust'],
  })
  t.equal(reply.headers.get('location'), reply.json.file.path)
  t.strictSame((await get(service, reply.json.file.path)).json, { file: reply.json.file })
})

t.test('names of files', async (t) => {
  const named = async (path: string, more: object = {}) => (await fetchUrl(path, more)).json.file?.originalName
  const disposition = (value: string) => `/disposition?value=${encodeURIComponent(value)}`
  t.equal(await named('/a.stub', { fileName: 'mine.stub' }), 'mine.stub', 'as the client says')
  t.equal(await named(disposition('attachment; filename="said.stub"')), 'said.stub', 'as the server says')
  t.equal(await named(disposition("inline; filename=a.stub; filename*=UTF-8''%E6%97%A5.stub")), '日.stub', 'RFC 8187')
  t.equal(await named(disposition('attachment; filename="../../etc/passwd.stub"')), 'passwd.stub')
  t.equal(await named(disposition('attachment; filename=""')), 'disposition', 'by the path')
  t.equal(await named('/'), 'file', 'when nobody says')
  t.equal(await named('/%E0%A4%A'), '%E0%A4%A', 'a path that cannot be decoded')
  t.equal(await named(`/redirect?to=${other.base}/there.stub`), 'there.stub', "by the last hop's path")
})

t.test('redirects', async (t) => {
  t.equal((await fetchUrl('/hops/5')).status, 201, 'five are followed')
  t.match(await fetchUrl('/hops/6'), refusal(502, 'IMPORT_FAILED', /5/))
  for (const status of [301, 308]) {
    t.equal((await fetchUrl(`/redirect?to=/a.stub&status=${status}`)).status, 201, `${status}`)
  }
  const bare = await fetchUrl('/status?code=302')
  t.match(bare, refusal(502, 'IMPORT_FAILED', /302, not 200/), 'without Location')
})

t.test('request headers', async (t) => {
  const secrets = { Authorization: 'Bearer s3cret', 'X-Api-Key': 'k', Cookie: 'a=b' }
  const headers = { ...secrets, 'Accept-Language': 'de', 'User-Agent': 'me' }
  t.equal((await fetchUrl('/a.stub', { headers })).status, 201)
  const own = { authorization: 'Bearer s3cret', 'x-api-key': 'k', cookie: 'a=b', 'user-agent': 'me' }
  t.match(origin.requests.at(-1)!.headers, { ...own, host: `127.0.0.1:${origin.port}`, 'accept-encoding': 'identity' })

  t.equal((await fetchUrl(`/redirect?to=${other.base}/a.stub`, { headers })).status, 201)
  const elsewhere = other.requests.at(-1)!.headers
  t.match(elsewhere, { 'accept-language': 'de', 'user-agent': 'me' })
  for (const name of ['authorization', 'x-api-key', 'cookie']) t.equal(elsewhere[name], undefined, `${name} stays here`)

  const before = origin.requests.length
  const names = [
    'Host',
    'Connection',
    'TRANSFER-ENCODING',
    'Range',
    'Via',
    ':path',
    'a b',
    'a\r\nb',
    '',
    'é',
    'x'.repeat(101),
  ]
  const values = ['a\r\nX-Evil: 1', 'a\0b', 'é', ' a', 'x'.repeat(4097), 7]
  const wrong: [string, unknown][] = [
    ...names.map((name) => [name, '1']),
    ...values.map((value) => ['X-Ok', value]),
  ] as never
  for (const [name, value] of wrong) {
    const reply = await fetchUrl('/a.stub', { headers: { [name]: value } })
    t.match(reply, refusal(400, 'BAD_REQUEST', /^headers\./), JSON.stringify([name, value]).slice(0, 60))
  }
  t.match((await fetchUrl('/a', { headers: { 'X-A': '1', 'x-a': '2' } })).json.error, { code: 'BAD_REQUEST' }, 'twice')
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, '1']))
  t.match((await fetchUrl('/a', { headers: many })).json.error, { code: 'BAD_REQUEST', message: /20/ })
  t.equal(origin.requests.length, before, 'nothing was asked for with the refused ones')
})

t.test('the size limit of the plan', async (t) => {
  for (const chunked of ['', '&chunked']) {
    t.equal((await fetchUrl(`/sized?bytes=${LIMIT}${chunked}`)).json.file?.size, LIMIT, 'the last byte allowed')
    const over = await fetchUrl(`/sized?bytes=${LIMIT + 1}${chunked}`)
    t.match(over, refusal(413, 'FILE_TOO_LARGE', /0\.2 MB/))
  }
  t.match(await fetchUrl('/endless'), refusal(413, 'FILE_TOO_LARGE'), 'an endless body')
  await until(() => origin.open() === 0)
  t.strictSame(await incoming(), [], 'nothing is left')
})

t.test('servers that do not deliver', async (t) => {
  for (const [path, message] of [
    ['/status?code=404', /404/],
    ['/status?code=206', /206/],
    ['/status?code=204', /204/],
    ['/empty', /empty/],
    ['/cut', /before the end/],
    ['/garbage', /HTTP/],
    ['/bomb?encoding=gzip', /compressed/],
    ['/bomb?encoding=gzip,%20gzip', /compressed/],
  ] as const) {
    t.match(await fetchUrl(path), refusal(502, 'IMPORT_FAILED', message), path)
  }
  t.match(await fetchUrl('http://127.0.0.3:1024/a'), refusal(502, 'IMPORT_FAILED'), 'nobody there')
  t.strictSame(await incoming(), [], 'nothing is left')
})

t.test('absurdly small pieces', async (t) => {
  t.equal((await fetchUrl('/pieces?count=500')).json.file?.size, 505, 'a short text may arrive byte by byte')
  t.match(await fetchUrl('/pieces?count=20000'), refusal(502, 'IMPORT_FAILED', /chunks of less than 32 bytes/))
  t.match(await fetchUrl('/hints'), refusal(502, 'IMPORT_FAILED', /sent no answer/))
  await until(() => origin.open() === 0)
  t.strictSame(await incoming(), [], 'nothing is left')
})

t.test('slow servers', async (t) => {
  const { imports } = service.kernel.config
  const { timeout } = imports
  imports.timeout = 1000
  for (const path of ['/silent', '/drip'])
    t.match(await fetchUrl(path), refusal(502, 'IMPORT_FAILED', /within 1 second/), path)
  imports.timeout = timeout
  await until(() => origin.open() === 0)
  t.strictSame(await incoming(), [], 'nothing is left')
})

t.test('a client that disconnects', async (t) => {
  const before = service.log.length
  const leaving = new AbortController()
  const body = JSON.stringify({ url: `${origin.base}/drip` })
  const headers = { 'content-type': 'application/json' }
  const left = call(service, 'POST', '/api/import/url', { body, headers, signal: leaving.signal }).catch(() => 'left')
  await until(async () => dripping === 1 && (await incoming()).length === 1)
  leaving.abort()
  t.equal(await left, 'left')
  await until(async () => dripping === 0 && (await incoming()).length === 0)
  // And no fault of ours is logged.
  t.notOk(service.log.slice(before).some((line) => (line.level as number) >= 50))
})

t.test('certificates', async (t) => {
  const { key, cert } = makeCertificate(t.testdir())!
  const options = { tls: { key: readFileSync(key), cert: readFileSync(cert) } }
  const secure = await startOrigin((_req, res) => void res.end(STUB), options)
  const elsewhere = await startOrigin((_req, res) => void res.end(STUB), { ...options, host: '127.0.0.3' })
  t.teardown(() => Promise.all([secure, elsewhere].map((part) => part[Symbol.asyncDispose]())))

  const refused = refusal(502, 'IMPORT_FAILED', /certificate/)
  t.match(await fetchUrl(`${secure.base}/a.stub`), refused, 'that nobody vouches for')
  const known = getCACertificates('default')
  setDefaultCACertificates([...known, readFileSync(cert, 'utf8')])
  t.teardown(() => setDefaultCACertificates(known))
  t.equal((await fetchUrl(`${secure.base}/a.stub`)).status, 201)
  t.match(await fetchUrl(`${elsewhere.base}/a.stub`), refused, 'of another name')
  t.equal(elsewhere.requests.length, 0)

  const headers = { authorization: 'Bearer s3cret' }
  t.equal((await fetchUrl(`/redirect?to=${secure.base}/a.stub`, { headers })).status, 201)
  t.equal(secure.requests.at(-1)!.headers.authorization, undefined, 'another scheme is another origin')
})

t.test('no secret is logged', async (t) => {
  await fetchUrl('/a.stub?token=t0psecret', { headers: { authorization: 'Bearer s3cret' } })
  await fetchUrl('/status?code=500&token=t0psecret', { headers: { authorization: 'Bearer s3cret' } })
  t.notMatch(JSON.stringify(service.log), /t0psecret|s3cret/)
})
