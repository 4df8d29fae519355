/** What pages of other websites send to the service through the browser of somebody who visits them, and read. */
import t from 'tap'
import { call, form, get, post, raw, refusal, type Service, STUB, serviceOf, storedFiles } from '../harness/service.ts'
import { beside } from './beside.ts'
import { begin, offsetOf, placeOf, send as sendPart } from './tus.ts'

const FOREIGN = 'https://evil.example'
const APP = 'https://app.example.org'
const refused = refusal(403, 'FORBIDDEN', /cors\.origins/)

const service = await serviceOf(t)

/** Sends the form of a page, as a browser does without asking first: headers of its own choice are not among them. */
const submit = (service: Service, headers: Record<string, string>) =>
  call(service, 'POST', '/api/uploads', { body: form(STUB), headers })

/** An upload with these lines at its head. */
async function send({ port }: Service, lines: string) {
  const body = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.stub"\r\n\r\n${STUB}\r\n--x--\r\n`
  const head = `POST /api/uploads HTTP/1.1\r\n${lines}Content-Type: multipart/form-data; boundary=x\r\n`
  return raw(port, `${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`)
}

t.test('a foreign page cannot upload, whether the browser tells its site, its origin or both', async (t) => {
  for (const headers of [
    { origin: FOREIGN },
    // A frame without an origin, a page on the disk, a redirect.
    { origin: 'null' },
    { origin: 'file://' },
    // Another program on the same machine.
    { origin: `http://127.0.0.1:${service.port + 1}` },
    { origin: 'http://127.0.0.1' },
    { origin: `${service.base}, ${FOREIGN}` },
    { origin: FOREIGN, 'sec-fetch-site': 'cross-site' },
    { origin: service.base, 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-origin, cross-site' },
    { 'sec-fetch-site': '' },
  ] as Record<string, string>[]) {
    t.match(await submit(service, headers), refused, JSON.stringify(headers))
  }
  const conversion = { origin: FOREIGN, 'content-type': 'text/plain' }
  t.match(await post(service, '/api/conversions', { fileId: 'x', toFormat: 'bust' }, conversion), refused)
  t.match(await begin(service, 4, { origin: FOREIGN }), refused)
  const place = placeOf(await begin(service, 4))
  t.match(await sendPart(service, place, 0, 'STUB', { origin: FOREIGN }), refused)
  t.equal(await offsetOf(service, place), 0)
  for (const method of ['DELETE', 'PATCH', 'PUT', 'OPTIONS'])
    t.match(await call(service, method, '/api/files', { headers: { origin: FOREIGN } }), refused, method)
  for (const path of ['/api/conversions', '/healthz']) {
    t.equal((await get(service, path, { origin: FOREIGN, 'sec-fetch-site': 'cross-site' })).status, 200, path)
    t.equal((await call(service, 'HEAD', path, { headers: { origin: FOREIGN } })).status, 200, path)
  }
  t.equal(await storedFiles(service), 0)
  const head = `POST /api/uploads HTTP/1.1\r\nHost: localhost\r\nOrigin: ${FOREIGN}\r\nContent-Length: 300000000\r\n`
  const large = await raw(service.port, `${head}Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n`)
  t.match(large, refused, 'before its end')
})

t.test('the own page, configured origins and clients that are no browsers can upload', async (t) => {
  await using allowing = await beside(service, { cors: { origins: [APP] } })
  for (const headers of [
    {},
    { origin: allowing.base },
    { origin: allowing.base, 'sec-fetch-site': 'same-origin' },
    // A form of the own page, which sends no referrer.
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    // Files that a person shared with the installed page.
    { origin: 'null', 'sec-fetch-site': 'none' },
    { origin: APP },
    { origin: APP, 'sec-fetch-site': 'cross-site' },
  ] as Record<string, string>[]) {
    t.equal((await submit(allowing, headers)).status, 201, JSON.stringify(headers))
  }
  t.match(await submit(allowing, { origin: `${APP}:444` }), refused)
  await using open = await beside(service, { cors: { origins: ['*'] } })
  t.equal((await submit(open, { origin: FOREIGN, 'sec-fetch-site': 'cross-site' })).status, 201)
})

t.test('the own host is the one that the browser uses', async (t) => {
  await using home = await beside(service, { profile: 'home' })
  for (const lines of [
    'Host: nas:3000\r\nOrigin: http://nas:3000\r\n',
    'Host: NAS\r\nOrigin: http://nas\r\n',
    'Host: nas:80\r\nOrigin: http://nas\r\n',
    // A proxy that is not known speaks HTTPS.
    'Host: nas.lan\r\nOrigin: https://nas.lan\r\n',
    'Host: [fd00::7]:3000\r\nOrigin: http://[fd00::7]:3000\r\n',
  ]) {
    t.equal((await send(home, lines)).status, 201, lines)
  }
  for (const lines of [
    'Host: nas:3000\r\nOrigin: http://nas:8080\r\n',
    'Host: nas:3000\r\nOrigin: http://evil.example\r\nX-Forwarded-Host: evil.example\r\n',
    'Host: localhost\r\nOrigin: file://\r\n',
  ]) {
    t.match(await send(home, lines), refused, lines)
  }
  const named = { trustedProxies: ['127.0.0.1'], publicUrl: 'https://files.example.org/convert' }
  await using proxied = await beside(service, named)
  for (const lines of [
    'Host: 127.0.0.1:3000\r\nX-Forwarded-Host: files.example\r\nOrigin: https://files.example\r\n',
    // A proxy that keeps the name to itself.
    'Host: 127.0.0.1:3000\r\nOrigin: https://files.example.org\r\n',
  ]) {
    t.equal((await send(proxied, lines)).status, 201, lines)
  }
  const forged = 'Host: 127.0.0.1:3000\r\nX-Forwarded-Host: files.example\r\nOrigin: http://127.0.0.1:3000\r\n'
  t.match(await send(proxied, forged), refused)
})

const preflight = (origin: string): RequestInit => ({
  headers: {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-api-key,x-guest-fingerprint',
  },
})
const corsHeaders = ({ headers }: { headers: Headers }) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'))

t.test('scripts of configured origins can read answers, also errors; others cannot', async (t) => {
  t.same(corsHeaders(await call(service, 'OPTIONS', '/api/conversions', preflight(APP))), [])
  t.same(corsHeaders(await get(service, '/api/tools', { origin: APP })), [], 'not by default')
  await using allowing = await beside(service, { cors: { origins: ['http://localhost:5173', APP] } })
  const asked = await call(allowing, 'OPTIONS', '/api/conversions', preflight(APP))
  t.equal(asked.status, 204)
  const allowed = (name: string) => asked.headers.get(`access-control-allow-${name}`)!.toLowerCase().split(/, ?/)
  t.same(allowed('origin'), [APP])
  for (const method of ['get', 'post', 'delete', 'patch']) t.ok(allowed('methods').includes(method), method)
  for (const header of ['authorization', 'content-type', 'x-api-key', 'x-guest-fingerprint', 'x-team-id'])
    t.ok(allowed('headers').includes(header), header)
  t.equal(asked.headers.get('access-control-max-age'), '600')
  t.equal(asked.headers.get('access-control-allow-credentials'), null, 'no cookies')
  for (const path of ['/api/tools', '/api/conversions/conv_none', '/api/nosuch']) {
    const reply = await get(allowing, path, { origin: APP, authorization: 'Bearer x' })
    t.equal(reply.headers.get('access-control-allow-origin'), APP, `${path} ${reply.status}`)
    t.match(reply.headers.get('access-control-expose-headers'), /Retry-After/)
    t.match(reply.headers.get('vary'), /Origin/i)
  }
  for (const origin of [FOREIGN, `${APP}.evil.example`, `${APP}:444`, 'null', APP.toUpperCase()]) {
    t.same(corsHeaders(await call(allowing, 'OPTIONS', '/api/tools', preflight(origin))), [], origin)
    t.same(corsHeaders(await get(allowing, '/api/tools', { origin })), [], origin)
  }
  t.same(corsHeaders(await get(allowing, '/metrics', { origin: APP })), [], 'the interface only')
  t.same((await call(allowing, 'OPTIONS', '/api/tools')).headers.get('allow'), 'GET, HEAD, OPTIONS', 'not a preflight')
  await using open = await beside(service, { cors: { origins: ['*'] } })
  const anybody = await get(open, '/api/tools', { origin: FOREIGN })
  t.equal(anybody.headers.get('access-control-allow-origin'), '*')
})
