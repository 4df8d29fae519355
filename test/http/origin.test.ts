/** Where a request comes from and goes to: clients behind proxies, host names, HTTPS, and the home profile. */

import { writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../config/load.ts'
import { homeLine } from '../../kernel/boot/home-line.ts'
import { knownHosts } from '../../kernel/http/identity/known-host.ts'
import { folderOf } from '../harness/folder.ts'
import { convert, get, post, raw, refusal, type Service, serviceOf, start, upload } from '../harness/service.ts'
import { beside } from './beside.ts'

const service = await serviceOf(t)
const { http, plans } = service.kernel.config
const trusting = { trustedProxies: ['127.0.0.1'] }

const ask = ({ port }: Service, host: string, path = '/api/conversions', more = '') =>
  raw(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`)
const misdirected = refusal(421, 'MISDIRECTED_REQUEST', /http\.hosts/)

t.test('guests behind an unconfigured proxy stay separate, but share its quota', async (t) => {
  plans.guest = { ...plans.guest, conversionsPerDay: 3 }
  const ada = { 'x-forwarded-for': '192.0.2.1:4711' }
  const bob = { 'x-forwarded-for': '192.0.2.2' }
  const { id, file } = await start(service, {}, ada)
  const listed = async (headers: Record<string, string>) =>
    (await get(service, '/api/conversions', headers)).json.conversions.map((each: any) => each.id)
  t.same(await listed({ 'x-forwarded-for': '192.0.2.1:4712' }), [id], 'the same client, by another port')
  for (const [who, headers] of Object.entries<Record<string, string>>({
    'another client': bob,
    'one that names none': { 'x-forwarded-proto': 'http' },
    'one by another header': { forwarded: 'for=192.0.2.2' },
    'one who says to be the first': { 'x-forwarded-for': '192.0.2.1', 'x-real-ip': '192.0.2.2' },
    'one who came directly': {},
  })) {
    t.same(await listed(headers), [], `${who} lists nothing`)
    t.equal((await get(service, `/api/conversions/${id}`, headers)).status, 404, `${who} sees nothing`)
    t.equal((await post(service, '/api/conversions', { fileId: file.fileId, toFormat: 'bust' }, headers)).status, 404)
  }
  const unknown = { 'x-forwarded-proto': 'http' }
  const third = await start(service, {}, unknown)
  t.same(await listed(unknown), [], 'clients that nothing tells apart list nothing')
  t.equal((await get(service, `/api/conversions/${third.id}`, unknown)).status, 200, 'but poll what they know')
  await start(service, {}, bob)
  t.match((await start(service, {}, { 'x-forwarded-for': '203.0.113.5' })).started, refusal(429, 'QUOTA_EXCEEDED'))
  const warnings = service.log.filter(({ msg }) => /TRUSTED_PROXIES/.test(String(msg)))
  t.match(warnings, { length: 1, 0: { level: 40, peer: '127.0.0.1' } }, 'said once, with the setting')
  plans.guest = { ...plans.guest, conversionsPerDay: null }
})

t.test('DNS rebinding cannot read anything', async (t) => {
  const named = { publicUrl: 'http://convert.example.org', http: { ...http, hosts: ['athanor.test'] } }
  await using front = await beside(service, named)
  for (const host of ['evil.example', 'evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example']) {
    t.match(await ask(front, host), misdirected, host)
    t.equal((await ask(front, host, '/healthz')).status, 200, 'probes use any address')
  }
  t.match(await ask(front, 'evil.example', '/metrics'), { status: 421 })
  for (const host of [
    'localhost',
    'LOCALHOST:3000',
    'app.localhost',
    '127.0.0.1',
    '[::1]:3000',
    'athanor.test',
    'convert.example.org.',
    'convert.example.org:8080',
  ]) {
    t.equal((await ask(front, host)).status, 200, host)
  }
  t.equal((await raw(front.port, 'GET /api/formats HTTP/1.0\r\n\r\n')).status, 200, 'HTTP/1.0 has none')

  await using trusted = await beside(service, trusting)
  const forged = 'X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Host: localhost\r\n'
  // A page can send these headers too.
  t.match(await ask(trusted, 'evil.example', '/api/conversions', forged), misdirected)
})

t.test('accepted host names, by profile and by the address that the client connected to', async (t) => {
  const is = (profile?: 'home') =>
    knownHosts({ publicUrl: undefined, ...(profile && { profile }), http: { hosts: [] } as any })
  const plain = is()
  const home = is('home')
  const check = (host: string, at: string, ...expected: boolean[]) =>
    t.same([plain(host, at), home(host, at)], expected, `${host} at ${at}`)
  check('192.168.1.7:3000', '192.168.1.7', true, true)
  check('192.168.1.7:3000', '127.0.0.1', false, true)
  check('[fd00::7]:3000', 'fd00::7', true, true)
  const names = ['nas', 'nas.local:3000', 'nas.lan', 'nas.home.arpa.', 'nas.home', 'nas.internal:3000', 'nas.fritz.box']
  for (const host of names) check(host, '192.168.1.7', false, true)
  for (const host of ['evil.box', 'evil-fritz.box', 'evil.example', 'local.evil'])
    check(host, '192.168.1.7', false, false)
})

t.test('the home profile removes limits for guests, and the file overrides it', async (t) => {
  const folder = await folderOf(t)
  const file = join(folder, 'a.yaml')
  const load = async (yaml: string, env = {}, argv: string[] = []) => {
    await writeFile(file, yaml)
    return loadConfig({ env: { CONFIG_FILE: file, ...env }, argv })
  }
  for (const config of [
    await load('profile: home'),
    await load('', { ATHANOR_PROFILE: 'home' }),
    await load('', { NODE_ENV: 'production' }, ['--home']),
  ]) {
    const { apiKeys, ...guest } = config.plans.guest
    t.same([...new Set(Object.values(guest))], [null], 'guests have no limits')
    const { free, pro, business } = config.plans
    for (const plan of [free, pro, business]) t.same([...new Set(Object.values(plan))], [null], 'nor have accounts')
    t.same(config.rates.uploads, { perMinute: null, perHour: null })
    t.match(config, { profile: 'home', accounts: { registration: false }, host: /^(::|0\.0\.0\.0)$/ })
  }
  const own = await load(
    'profile: home\nhost: 192.168.1.7\nplans: { guest: { maxFileSize: 2GB } }\naccounts: { registration: true }\nrates: { ceiling: 9 }',
  )
  t.match(own, {
    host: '192.168.1.7',
    accounts: { registration: true },
    rates: { ceiling: 9, uploads: { perHour: null } },
  })
  t.match(own.plans.guest, { maxFileSize: 2e9, conversionsPerDay: null })
  t.throws(() => loadConfig({ env: { ATHANOR_PROFILE: 'hoem' }, argv: [] }), { message: /must be "home", not "hoem"/ })
})

t.test('the home profile serves plain HTTP to private networks only', async (t) => {
  const own = ['127.0.0.1', '172.16.0.9', '192.168.1.7', '169.254.1.1', '100.64.0.1', '::1', 'fd00::1', 'fe80::1']
  const foreign = ['192.0.2.1', '172.32.0.1', '100.128.0.1', '2001:db8::1', '::ffff:8.8.8.8']
  for (const mode of ['development', 'production'] as const) {
    await using home = await beside(service, { profile: 'home', mode, ...trusting })
    const from = (address: string, more = {}) => get(home, '/api/formats', { 'x-forwarded-for': address, ...more })
    for (const address of own) t.equal((await from(address)).status, 200, `${mode}: ${address}`)
    for (const address of foreign) t.match(await from(address), refusal(426, 'HTTPS_REQUIRED'), `${mode}: ${address}`)
    t.equal((await from('8.8.8.8', { 'x-forwarded-proto': 'https' })).status, 200, 'over TLS')
  }
})

t.test('no header of a client hides what an unknown proxy says of it', async (t) => {
  await using home = await beside(service, { profile: 'home' })
  const own = '192.168.1.9'
  const foreign = '8.8.8.8'
  const names = [
    'x-forwarded-for',
    'x-real-ip',
    'x-client-ip',
    'x-cluster-client-ip',
    'cf-connecting-ip',
    'true-client-ip',
    'forwarded',
  ]
  const said = (name: string, address: string) => ({ [name]: name === 'forwarded' ? `for=${address}` : address })
  for (const [at, set] of names.entries()) {
    const headers = { ...said(names[(at + 1) % names.length]!, own), ...said(set, foreign) }
    t.match(await get(home, '/api/formats', headers), refusal(426, 'HTTPS_REQUIRED'), JSON.stringify(headers))
    t.equal((await get(home, '/api/formats', said(set, own))).status, 200, set)
  }
  for (const headers of [
    // A proxy appends to what the client sends, however long that is.
    { 'x-forwarded-for': `${'192.168.100.100, '.repeat(200)}${foreign}` },
    // It quotes the host name that the client sends.
    { forwarded: `for=${foreign};host="nas;for=${own}"` },
    { forwarded: `for="${own}, for=${foreign}` },
  ] as Record<string, string>[]) {
    const reply = await get(home, '/api/formats', headers)
    t.match(reply, refusal(426, 'HTTPS_REQUIRED'), JSON.stringify(headers).slice(0, 60))
  }
})

t.test('a refused browser is told which settings to change', async (t) => {
  for (const [settings, setting] of [
    [{ mode: 'production' }, /npm start -- --home.*ATHANOR_PROFILE=home.*profile: home/],
    [{ profile: 'home', ...trusting }, /TLS_CERT.*TRUSTED_PROXIES/],
  ] as const) {
    await using strict = await beside(service, settings)
    const headers = { 'x-forwarded-for': '8.8.8.8', accept: 'text/html,application/xhtml+xml;q=0.9' }
    const { status, headers: got, body } = await get(strict, '/', headers)
    t.equal(status, 426)
    t.match(got.get('content-type'), /^text\/html/)
    t.match(got.get('content-security-policy'), /^default-src 'none'; style-src 'sha256-[^']+'; base-uri/)
    t.match(body.toString(), setting)
    t.notMatch(body.toString(), /<script|https?:\/\/\w/)
    t.match(await get(strict, '/', { ...headers, accept: 'application/json' }), { status: 426, json: { error: {} } })
  }
  await using home = await beside(service, { profile: 'home' })
  const { status, head, text } = await ask(home, 'nas.example', '/', 'Accept: text/html\r\n')
  t.equal(status, 421)
  t.match(head, /^content-type: text\/html/im)
  t.match(head, /^content-security-policy: default-src 'none'; style-src 'sha256-/im)
  t.match(text, /http\.hosts.*PUBLIC_URL/)
  t.match(await ask(home, 'nas.example', '/', 'Accept: application/json\r\n'), misdirected)
})

t.test('a start tells how to open the service to the home network, or its addresses there', async (t) => {
  const { hostname, networkInterfaces } = os
  t.teardown(() => {
    Object.assign(os, { hostname, networkInterfaces })
    syncBuiltinESMExports()
  })
  const said = (name: string, profile?: 'home', tls?: object) => {
    const address = (address: string, internal = false) => ({ address, internal, family: 'IPv4' })
    const cards = { lo: [address('127.0.0.1', true)], lan: [address('192.168.1.7'), address('203.0.113.7')] }
    Object.assign(os, { hostname: () => name, networkInterfaces: () => cards })
    syncBuiltinESMExports()
    return homeLine({ ...(profile && { profile }), tls } as never, 3000)
  }
  t.equal(said('NAS.lan'), 'To open it to your home network: npm start -- --home')
  t.equal(said('0123456789ab'), 'To open it to your home network: set ATHANOR_PROFILE=home', 'a container')
  t.equal(said('NAS.lan', 'home'), 'Open to your home network at http://192.168.1.7:3000, http://nas:3000')
  t.equal(said('localhost', 'home', {}), 'Open to your home network at https://192.168.1.7:3000')
  t.equal(said('0123456789ab', 'home'), 'Open to your home network at the addresses of this machine')
})

const behind = await beside(service, { trustedProxies: ['127.0.0.1/32', '10.0.0.0/8', '2001:db8:ff::/48'] })
t.teardown(() => behind[Symbol.asyncDispose]())

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
    t.ok(await isSameClient(behind, { 'x-forwarded-for': forwarded }, second), why)
  }
  const of = (address: string) => ({ 'x-forwarded-for': address })
  t.notOk(await isSameClient(behind, of('192.0.2.1'), of('192.0.2.2')))
  t.notOk(await isSameClient(behind, of('2001:db8:0:1::1'), of('2001:db8:0:2::1')))
  const fingerprint = { 'x-forwarded-for': '192.0.2.1', 'x-guest-fingerprint': 'a' }
  t.ok(await isSameClient(behind, fingerprint, fingerprint))
  // Nor another fingerprint.
  t.notOk(await isSameClient(behind, fingerprint, { ...fingerprint, 'x-guest-fingerprint': 'b' }))
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
    new URL((await convert(behind, {}, headers)).conversion.outputUrl).origin
  t.equal(await baseOf({}), behind.base)
  t.equal(await baseOf({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'files.example' }), 'https://files.example')
  t.equal(
    await baseOf({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example, files.example:8443' }),
    'https://files.example:8443',
  )
  // The last entry is the one that a proxy wrote.
  t.equal(await baseOf({ 'x-forwarded-proto': 'https, http' }), behind.base)
  t.equal(await baseOf({ 'x-forwarded-host': 'evil.example/path?' }), behind.base, 'what is no host is ignored')

  await using named = await beside(behind, { mode: 'production', publicUrl: 'https://files.example/base' })
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example', host: 'evil.example' }
  const { conversion } = await convert(named, {}, headers)
  t.ok(conversion.outputUrl.startsWith('https://files.example/base/api/files/conv_'), 'PUBLIC_URL wins')
})

t.test('an invalid Host', async (t) => {
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
  await using strict = await beside(behind, { mode: 'production' })
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
