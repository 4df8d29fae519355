/** What pages of other websites send to the service through the browser of somebody who visits them. */
import t from 'tap'
import {
  call,
  form,
  get,
  post,
  raw,
  refusal,
  type Service,
  STUB,
  startService,
  storedFiles,
} from '../harness/service.ts'
import { begin, offsetOf, placeOf, send as sendPart } from './tus.ts'

const FOREIGN = 'https://evil.example'
const refused = refusal(403, 'FORBIDDEN', /cors\.origins/)

/** Sends the form of a page, as a browser does without asking first: headers of its own choice are not among them. */
const submit = (service: Service, headers: Record<string, string>, path = '/api/uploads') =>
  call(service, 'POST', path, { body: form(STUB), headers })

/** An upload with these lines at its head. */
async function send(service: Service, lines: string) {
  const body = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.stub"\r\n\r\n${STUB}\r\n--x--\r\n`
  const head = `POST /api/uploads HTTP/1.1\r\n${lines}Content-Type: multipart/form-data; boundary=x\r\n`
  return raw(service.port, `${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`)
}

t.test('a foreign page cannot upload, whether the browser tells its site, its origin or both', async (t) => {
  for (const env of [{}, { ATHANOR_PROFILE: 'home' }] as Record<string, string>[]) {
    await using service = await startService({ env })
    for (const headers of [
      { origin: FOREIGN },
      // A frame without an origin, a page on the disk, a redirect.
      { origin: 'null' },
      { origin: 'file://' },
      { origin: 'nonsense' },
      // Another program on the same machine.
      { origin: `http://127.0.0.1:${service.port + 1}` },
      { origin: 'http://127.0.0.1' },
      { origin: `${service.base}.evil.example` },
      { origin: `${service.base}, ${FOREIGN}` },
      { origin: FOREIGN, 'sec-fetch-site': 'cross-site' },
      { origin: service.base, 'sec-fetch-site': 'same-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
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
    for (const method of ['DELETE', 'PATCH', 'PUT', 'OPTIONS']) {
      t.match(await call(service, method, '/api/files', { headers: { origin: FOREIGN } }), refused, method)
    }
    for (const path of ['/api/formats', '/api/conversions', '/healthz']) {
      t.equal((await get(service, path, { origin: FOREIGN, 'sec-fetch-site': 'cross-site' })).status, 200, path)
      t.equal((await call(service, 'HEAD', path, { headers: { origin: FOREIGN } })).status, 200, path)
    }
    t.equal(await storedFiles(service), 0)
  }
})

t.test('a large form of a foreign page is refused before its end', async (t) => {
  await using service = await startService({ env: { ATHANOR_PROFILE: 'home' } })
  const head = `POST /api/uploads HTTP/1.1\r\nHost: nas:3000\r\nOrigin: ${FOREIGN}\r\nContent-Length: 300000000\r\n`
  const reply = await raw(service.port, `${head}Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n`)
  t.match(reply, refused)
})

t.test('the own page, configured origins and clients that are no browsers can upload', async (t) => {
  const app = 'https://app.example.org'
  await using service = await startService({
    change: ({ cors }) => {
      cors.origins = [app]
    },
  })
  for (const headers of [
    {},
    { origin: service.base },
    { origin: service.base, 'sec-fetch-site': 'same-origin' },
    // A form of the own page, which sends no referrer.
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    // Files that a person shared with the installed page.
    { origin: 'null', 'sec-fetch-site': 'none' },
    { origin: app },
    { origin: app, 'sec-fetch-site': 'cross-site' },
  ] as Record<string, string>[]) {
    t.equal((await submit(service, headers)).status, 201, JSON.stringify(headers))
  }
  t.match(await submit(service, { origin: `${app}:444` }), refused)

  await using open = await startService({
    change: ({ cors }) => {
      cors.origins = ['*']
    },
  })
  t.equal((await submit(open, { origin: FOREIGN, 'sec-fetch-site': 'cross-site' })).status, 201)
})

t.test('the own host is the one that the browser uses', async (t) => {
  await using home = await startService({ env: { ATHANOR_PROFILE: 'home' } })
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
    'Host: nas:3000\r\nOrigin: http://nas\r\n',
    'Host: nas:3000\r\nOrigin: http://evil.example\r\nX-Forwarded-Host: evil.example\r\n',
    'Host: localhost\r\nOrigin: file://\r\n',
  ]) {
    t.match(await send(home, lines), refused, lines)
  }

  const env = { TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'https://files.example.org/convert' }
  await using proxied = await startService({ env })
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
