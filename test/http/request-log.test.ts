/** Lines of the log: one for each request, and failed sign-ins as fail2ban reads them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { call, get, post, serviceOf } from '../harness/service.ts'
import { bearer, PASSWORD } from './people.ts'

const service = await serviceOf(t, { env: { TRUSTED_PROXIES: '127.0.0.1' } })

/** Returns the log line of a request, as soon as its answer is there. */
const lineOf = (id: string) => service.log.find(({ requestId, msg }) => requestId === id && msg === 'request')

t.test('the id of a request', async (t) => {
  const ask = async (id: string) =>
    (await get(service, '/api/nope', { 'x-request-id': id })).headers.get('x-request-id')!
  for (const id of ['x.y_z-9', 'a'.repeat(64)]) t.equal(await ask(id), id, 'is the one that the client gave')
  for (const id of ['a'.repeat(65), 'a b', 'a/b', '<x>', '']) {
    const made = await ask(id)
    t.not(made, id, JSON.stringify(id.slice(0, 5)))
    t.match(made, /^[A-Za-z0-9._-]{1,64}$/)
  }
  t.not(await ask(''), await ask(''), 'and new each time')
})

t.test('one line for each request, with the code of a refusal', async (t) => {
  const line = {
    level: 30,
    method: 'GET',
    path: '/api/nope',
    status: 404,
    code: 'NOT_FOUND',
    ms: Number,
    bytes: Number,
  }
  await get(service, '/api/nope?token=secret', { 'x-request-id': 'unknown-path' })
  t.match(lineOf('unknown-path'), line)
  await get(service, '/api/tools/nosuch', { 'x-request-id': 'known-route' })
  t.match(lineOf('known-route'), { level: 30, route: '/api/tools/:slug', status: 404 })
  await get(service, '/healthz', { 'x-request-id': 'poll' })
  t.match(lineOf('poll'), { level: 20, route: '/healthz', status: 200 }, 'polls only when one debugs')
  t.notOk('code' in lineOf('poll')!)
})

t.test('the line of a refused request has no file name', async (t) => {
  const key = 'uploads/2026/01/01/0123/Last-will.pdf'
  const named = { method: 'PATCH', path: `/api/files/${encodeURIComponent(key)}` }
  const ways: { method: string; path: string; key?: string }[] = [
    named,
    { method: 'GET', path: `${named.path}/download`, key: 'ath_none' },
    { method: 'GET', path: `/api/files/${key}/more` },
  ]
  for (const [at, { method, path, key: apiKey }] of ways.entries()) {
    const headers = { 'x-request-id': `named-${at}`, ...(apiKey && { 'x-api-key': apiKey }) }
    await call(service, method, path, { headers })
    t.match(lineOf(`named-${at}`), { method, path: '/api/files/…', status: /^40[145]$/ })
  }
  t.notMatch(JSON.stringify(service.log), /Last-will/)
})

/** The fail2ban filter from the documentation. */
const manual = readFileSync(join(import.meta.dirname, '../../docs/monitoring.md'), 'utf8')
const filter = /^failregex = (.*)$/m.exec(manual)![1]!
/** Converts the filter to JavaScript: fail2ban has its own name for an address, and Python's escapes. */
const failregex = new RegExp(filter.replace('<ADDR>', '(?<address>[0-9a-fA-F:.]+)'))

/** Returns the addresses that the filter finds in new log lines. */
function found(since: number): string[] {
  const lines = service.log.slice(since).map((line) => JSON.stringify(line))
  return lines.flatMap((line) => failregex.exec(line)?.groups?.address ?? [])
}
const from = (address: string, more: object = {}) => ({ 'x-forwarded-for': address, ...more })

t.test('failed passwords and tokens are logged with the address, other requests are not', async (t) => {
  const email = 'a@example.org'
  const made = await post(service, '/api/auth/register', { email, password: PASSWORD })
  const login = (body: object, address: string) => post(service, '/api/auth/login', body, from(address))
  const since = service.log.length
  t.equal((await login({ email, password: 'wrong wrong' }, '203.0.113.7')).status, 401)
  t.equal((await login({ email: 'nobody@example.org', password: 'wrong wrong' }, '2001:db8::7')).status, 401)
  const change = { currentPassword: 'wrong wrong', password: `${PASSWORD} 2` }
  const session = bearer(made.json.token)
  t.equal((await post(service, '/api/users/me/password', change, from('203.0.113.8', session))).status, 400)
  const reset = { token: 'x'.repeat(43), password: PASSWORD }
  t.ok((await post(service, '/api/auth/password-reset/confirm', reset, from('203.0.113.9'))).status >= 400)
  t.equal((await login({ email, password: PASSWORD }, '203.0.113.10')).status, 200)
  t.equal((await login({ email }, '203.0.113.11')).status, 400)
  t.strictSame(found(since), ['203.0.113.7', '2001:db8::7', '203.0.113.8', '203.0.113.9'])
})

t.test('forged headers cannot make fail2ban block another address', async (t) => {
  const since = service.log.length
  const forged = '","address":"198.51.100.1","way":"password","msg":"sign-in failed"}'
  const body = { email: `x${forged}@example.org`, password: forged }
  await post(service, '/api/auth/login', body, from('203.0.113.7', { 'x-request-id': forged, 'user-agent': forged }))
  await post(service, `/api/nope/${encodeURIComponent(forged)}`, {}, from(`${forged}, 203.0.113.7`))
  t.notOk(found(since).includes('198.51.100.1'))
})
