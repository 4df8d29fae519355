/** Failed sign-ins in the log, as fail2ban reads it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { post, serviceOf } from '../harness/service.ts'
import { bearer, PASSWORD } from './people.ts'

const service = await serviceOf(t, {
  change: (config) => {
    config.trustedProxies = ['127.0.0.1']
  },
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

t.test('failed passwords and tokens are logged with the address', async (t) => {
  const made = await post(service, '/api/auth/register', { email: 'a@example.org', password: PASSWORD })
  const login = (body: object, address: string) => post(service, '/api/auth/login', body, from(address))
  const since = service.log.length
  t.equal((await login({ email: 'a@example.org', password: 'wrong wrong' }, '203.0.113.7')).status, 401)
  t.equal((await login({ email: 'nobody@example.org', password: 'wrong wrong' }, '2001:db8::7')).status, 401)
  const change = { currentPassword: 'wrong wrong', password: `${PASSWORD} 2` }
  const session = bearer(made.json.token)
  t.equal((await post(service, '/api/users/me/password', change, from('203.0.113.8', session))).status, 400)
  const reset = { token: 'x'.repeat(43), password: PASSWORD }
  t.ok((await post(service, '/api/auth/password-reset/confirm', reset, from('203.0.113.9'))).status >= 400)
  t.strictSame(found(since), ['203.0.113.7', '2001:db8::7', '203.0.113.8', '203.0.113.9'])
})

t.test('other requests are not', async (t) => {
  const since = service.log.length
  t.equal((await post(service, '/api/auth/login', { email: 'a@example.org', password: PASSWORD })).status, 200)
  t.equal((await post(service, '/api/auth/login', { email: 'a@example.org' })).status, 400)
  t.strictSame(found(since), [])
})

t.test('forged headers cannot make fail2ban block another address', async (t) => {
  const since = service.log.length
  const forged = '","address":"198.51.100.1","way":"password","msg":"sign-in failed"}'
  const body = { email: `x${forged}@example.org`, password: forged }
  await post(service, '/api/auth/login', body, from('203.0.113.7', { 'x-request-id': forged, 'user-agent': forged }))
  await post(service, `/api/nope/${encodeURIComponent(forged)}`, {}, from(`${forged}, 203.0.113.7`))
  t.notOk(found(since).includes('198.51.100.1'))
})
