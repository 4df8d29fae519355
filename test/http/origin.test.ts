import { readFileSync } from 'node:fs'
import { get as httpsGet } from 'node:https'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { makeCertificate } from '../harness/servers/certificate.ts'
import { convert, get, raw, refusal, type Service, serviceOf, startService, upload } from '../harness/service.ts'
import { beside } from './beside.ts'

const service = await serviceOf(t, { env: { TRUSTED_PROXIES: '127.0.0.1/32, 10.0.0.0/8,2001:db8:ff::/48' } })

/**
 * Whether the service takes two requests for the same client's: only then does the second see the first one's upload.
 */
async function isSameClient(service: Service, first: Record<string, string>, second: Record<string, string>) {
  const { json } = await upload(service, undefined, first)
  return (await get(service, json.file.path, second)).status === 200
}

t.test('the client behind trusted proxies', async (t) => {
  const cases: [forwarded: string, client: string, why: string][] = [
    ['192.0.2.1', '192.0.2.1', 'one entry'],
    ['203.0.113.9, 192.0.2.1', '192.0.2.1', 'the right-most, whatever the client claims'],
    ['192.0.2.1, 10.1.2.3', '192.0.2.1', 'a trusted hop is passed over'],
    ['192.0.2.1,10.1.2.3 , 2001:db8:ff::7', '192.0.2.1', 'several hops of both families'],
    ['::ffff:192.0.2.1', '192.0.2.1', 'IPv4 in IPv6 clothes'],
    ['192.0.2.1, ::ffff:10.1.2.3', '192.0.2.1', 'a trusted hop in IPv6 clothes'],
    ['192.0.2.1:4711', '192.0.2.1', 'with a port'],
    ['[2001:db8::1]:4711', '2001:db8::1', 'IPv6 with a port'],
    ['2001:db8::1', '2001:db8:0:0:ffff::2', 'IPv6 counts by /64'],
    ['192.0.2.1, nonsense, 10.0.0.1', '10.0.0.1', 'an entry that is no address ends the search'],
    ['0x7f.1', '', 'nor is an address in another notation one'],
  ]
  for (const [forwarded, client, why] of cases) {
    const second: Record<string, string> = client ? { 'x-forwarded-for': client } : {}
    t.ok(await isSameClient(service, { 'x-forwarded-for': forwarded }, second), why)
  }
  const of = (address: string) => ({ 'x-forwarded-for': address })
  t.notOk(await isSameClient(service, of('192.0.2.1'), of('192.0.2.2')))
  t.notOk(await isSameClient(service, of('2001:db8:0:1::1'), of('2001:db8:0:2::1')))
  const fingerprint = { 'x-forwarded-for': '192.0.2.1', 'x-guest-fingerprint': 'a' }
  t.ok(await isSameClient(service, fingerprint, fingerprint))
  // Nor another fingerprint.
  t.notOk(await isSameClient(service, fingerprint, { ...fingerprint, 'x-guest-fingerprint': 'b' }))
})

t.test('no proxy is trusted unless it is configured', async (t) => {
  await using alone = await beside(service, { trustedProxies: [] })
  // What is said parts strangers, and earns nothing.
  t.notOk(await isSameClient(alone, { 'x-forwarded-for': '192.0.2.1' }, { 'x-forwarded-for': '192.0.2.2' }))
  const of = (client: string) => ({ 'x-forwarded-for': client, 'x-guest-fingerprint': 'f' })
  // A fingerprint tells a guest, whatever is said.
  t.ok(await isSameClient(alone, of('203.0.113.1'), of('203.0.113.2')))
  t.ok(await isSameClient(alone, of('203.0.113.1'), { 'x-guest-fingerprint': 'f' }), 'or not said')
  t.notOk(await isSameClient(alone, of('203.0.113.1'), { ...of('203.0.113.1'), 'x-guest-fingerprint': 'g' }))
  const forwarded = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  const { conversion } = await convert(alone, {}, forwarded)
  t.ok(conversion.outputUrl.startsWith(`${alone.base}/api/files/`), 'the address of the request')
})

t.test('the base of outputUrl', async (t) => {
  const baseOf = async (headers: Record<string, string>) =>
    new URL((await convert(service, {}, headers)).conversion.outputUrl).origin
  t.equal(await baseOf({}), service.base)
  t.equal(await baseOf({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'files.example' }), 'https://files.example')
  t.equal(
    await baseOf({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example, files.example:8443' }),
    'https://files.example:8443',
  )
  // The last entry is the one that a proxy wrote.
  t.equal(await baseOf({ 'x-forwarded-proto': 'https, http' }), service.base)
  t.equal(await baseOf({ 'x-forwarded-host': 'evil.example/path?' }), service.base, 'what is no host is ignored')

  await using named = await beside(service, { mode: 'production', publicUrl: 'https://files.example/base' })
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example', host: 'evil.example' }
  const { conversion } = await convert(named, {}, headers)
  t.ok(conversion.outputUrl.startsWith('https://files.example/base/api/files/conv_'), 'PUBLIC_URL wins')
})

t.test('an invalid Host', async (t) => {
  const { http } = service.kernel.config
  await using front = await beside(service, { http: { ...http, hosts: ['files.example', 'under_score'] } })
  const ask = (lines: string, version = '1.1') =>
    raw(front.port, `GET /api/formats HTTP/${version}\r\n${lines}Connection: close\r\n\r\n`)
  for (const lines of ['', 'Host: a\r\nHost: b\r\n', 'Host: a/b\r\n', 'Host: u@evil\r\n', 'Host: a:99999999\r\n']) {
    const reply = await ask(lines)
    t.match(reply, refusal(400, 'BAD_REQUEST'), JSON.stringify(lines))
    t.match(reply.head, /x-request-id: /i)
  }
  for (const lines of ['Host: files.example:3000\r\n', 'Host: [::1]:3000\r\n', 'Host: under_score\r\n'])
    t.equal((await ask(lines)).status, 200, lines)
  t.equal((await ask('', '1.0')).status, 200, 'HTTP/1.0 has none')
})

t.test('production accepts only HTTPS', async (t) => {
  await using strict = await beside(service, { mode: 'production' })
  for (const path of ['/api/tools', '/api/nope', '/nope', '/api/%zz']) {
    for (const headers of [{}, { 'x-forwarded-proto': 'http' }, { 'x-forwarded-proto': 'https, http' }]) {
      const reply = await get(strict, path, headers as Record<string, string>)
      t.match(reply, refusal(426, 'HTTPS_REQUIRED'), `${path} ${JSON.stringify(headers)}`)
      t.equal(reply.headers.get('upgrade'), 'TLS/1.2')
    }
  }
  t.equal((await upload(strict)).status, 426, 'an upload too')
  t.equal((await get(strict, '/api/tools', { authorization: 'x' })).status, 426, 'before credentials')
  for (const path of ['/healthz', '/readyz']) t.equal((await get(strict, path)).status, 200, path)
  t.equal((await get(strict, '/metrics')).status, 404, 'metrics are closed, but not for want of TLS')
  t.equal((await get(strict, '/api/tools', { 'x-forwarded-proto': 'https' })).status, 200)
  await using alone = await beside(service, { mode: 'production', trustedProxies: [] })
  // An untrusted peer is not believed.
  t.equal((await get(alone, '/api/tools', { 'x-forwarded-proto': 'https' })).status, 426)
})

const tls = makeCertificate(await folderOf(t))

t.test('HTTPS with a certificate of its own', { skip: !tls && 'openssl is not installed' }, async (t) => {
  await using service = await startService({
    env: { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(40), TLS_CERT: tls!.cert, TLS_KEY: tls!.key },
  })
  const { promise, resolve, reject } = Promise.withResolvers<{ status?: number; hsts: unknown }>()
  httpsGet(`${service.base}/api/tools`, { ca: readFileSync(tls!.cert), agent: false }, (response) => {
    const { statusCode: status, headers } = response
    response.resume().once('end', () => resolve({ status, hsts: headers['strict-transport-security'] }))
  }).on('error', reject)
  t.match(await promise, { status: 200, hsts: /max-age=\d+/ })
})
