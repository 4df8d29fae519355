/** Sign-in by a header of a trusted proxy. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import t from 'tap'
import { loadConfig } from '../../config/load.ts'
import { call, get, post, raw, refusal, serviceOf } from '../harness/service.ts'
import { bearer, makeKey, PASSWORD, signUp } from './people.ts'

const as = (email: string) => ({ 'remote-email': email })
const me = (headers: Record<string, string>) => get(service, '/api/users/me', headers)

/** Asks for the account from another address of this machine. */
async function meFrom(localAddress: string, headers: Record<string, string>): Promise<number | undefined> {
  const options = { host: '127.0.0.1', port: service.port, localAddress, path: '/api/users/me', headers }
  const [response] = (await once(request(options).end(), 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

const service = await serviceOf(t, {
  change(config) {
    config.trustedProxies = ['127.0.0.1']
    config.imports.allowNetworks = ['127.0.0.1']
    config.accounts.trustedHeader = { name: 'Remote-Email', createAccounts: true }
  },
})
const isBuilt = existsSync(new URL('../../node_modules/.cache/athanor-docs', import.meta.url))

t.test('the first request makes an account, and later ones use it', async (t) => {
  const many = await Promise.all(Array.from({ length: 5 }, () => me(as('ada@example.org'))))
  const ids = new Set(many.map(({ json }) => json.user.id))
  t.equal(ids.size, 1, 'one account, however many come at once')
  t.match(many[0]!.json.user, { email: 'ada@example.org', plan: 'free' })
  t.ok(ids.has((await me(as('ADA@example.org'))).json.user.id), 'in any case')
  t.equal((await service.kernel.accounts.users.byEmail('ada@example.org'))?.verified, 1)
})

t.test('without the header, and with what is no address', async (t) => {
  t.match(await me({}), refusal(401, 'UNAUTHORIZED'))
  t.match(await me(as('')), refusal(401, 'UNAUTHORIZED'))
  t.equal((await get(service, '/api/conversions')).status, 200, 'a guest')
  for (const value of ['ada', 'a@example.org, b@example.org', `${'a'.repeat(300)}@example.org`])
    t.match(await get(service, '/api/conversions', as(value)), refusal(401, 'UNAUTHORIZED', /one email address/), value)
  const twice = 'Remote-Email: ada@example.org\r\nRemote-Email: eve@example.org\r\n'
  const reply = await raw(
    service.port,
    `GET /api/users/me HTTP/1.1\r\nHost: localhost\r\n${twice}Connection: close\r\n\r\n`,
  )
  t.equal(reply.status, 401, 'a second one')
})

t.test('the header of somebody else is ignored, and logged once', async (t) => {
  const since = service.log.length
  for (let i = 0; i < 3; i++) t.equal(await meFrom('127.0.0.9', as('ada@example.org')), 401)
  const lines = service.log.slice(since).filter(({ msg }) => /trustedHeader/.test(String(msg)))
  t.match(lines, [{ peer: '127.0.0.9', header: 'remote-email', level: 40 }])
  t.equal(lines.length, 1)
  t.notMatch(JSON.stringify(lines), 'ada@', 'not with what it says')
  const forwarded = { ...as('ada@example.org'), 'x-forwarded-for': '127.0.0.1' }
  t.equal(await meFrom('127.0.0.9', forwarded), 401, 'whatever address it claims')
})

t.test('a credential counts more than the header', async (t) => {
  const bob = await signUp(service, 'pro')
  const { bySecret } = await makeKey(service, bob)
  const emailOf = async (headers: Record<string, string>) => (await me(headers)).json.user?.email
  t.equal(await emailOf({ ...bob.session, ...as('ada@example.org') }), bob.email)
  t.equal((await me({ ...bySecret, ...as('ada@example.org') })).status, 401, 'a key is no session')
  t.equal((await me({ ...bearer('nonsense'), ...as('ada@example.org') })).status, 401)
})

t.test('whoever registered with the address loses the account', async (t) => {
  const eve = await signUp(service, 'pro')
  const key = await makeKey(service, eve)
  t.equal((await me(as(eve.email))).json.user.id, eve.id, 'the account is that of the address')
  t.equal((await me(eve.session)).status, 401)
  t.equal((await get(service, '/api/conversions', key.bySecret)).status, 401)
  t.equal((await post(service, '/api/auth/login', { email: eve.email, password: PASSWORD })).status, 401)
  const own = await makeKey(service, { ...eve, session: as(eve.email) as never })
  t.equal((await get(service, '/api/conversions', own.bySecret)).status, 200, 'only the first time')
})

t.test('the page knows that its reader has an account', { skip: !isBuilt && 'the page is not built' }, async (t) => {
  const page = async (headers: Record<string, string>) =>
    (await get(service, '/', { accept: 'text/html', ...headers })).body.toString()
  t.match(await page(as('ada@example.org')), /&#34;vouched&#34;:true/)
  t.notMatch(await page({}), /vouched/)
})

t.test('suspended accounts, and pages of other sites', async (t) => {
  const carl = await signUp(service)
  await service.kernel.accounts.users.change(carl.id, { status: 'suspended' })
  t.match(await me(as(carl.email)), refusal(403, 'FORBIDDEN', /suspended/))
  t.equal((await service.kernel.accounts.users.byId(carl.id))?.verified, 0, 'stays as it is')
  const headers = { ...as('ada@example.org'), origin: 'https://evil.example' }
  t.match(await call(service, 'POST', '/api/teams', { headers, body: '{}' }), refusal(403, 'FORBIDDEN', /Origin/))
})

t.test('addresses without an account get none unless the operator wants it', async (t) => {
  const { trustedHeader } = service.kernel.config.accounts
  trustedHeader!.createAccounts = false
  const answer = await get(service, '/api/conversions', as('new@example.org'))
  t.match(answer, refusal(403, 'FORBIDDEN', /ask the administrator/))
  t.equal(await service.kernel.accounts.users.byEmail('new@example.org'), undefined)
  trustedHeader!.createAccounts = true
})

t.test('a configuration by which anybody could sign in is refused', async (t) => {
  const header = 'accounts: { trustedHeader: { name: Remote-Email } }\n'
  const load = (yaml: string) => {
    const folder = t.testdir({ 'athanor.yaml': header + yaml })
    return loadConfig({ env: { CONFIG_FILE: `${folder}/athanor.yaml` }, argv: [] })
  }
  t.throws(() => load(''), /trustedHeader: needs the addresses of the proxy/)
  t.throws(() => load('trustedProxies: [10.0.0.1, "::/0"]'), /trustedHeader: needs the addresses of the proxy/)
  t.throws(() => load('trustedProxies: [10.0.0.1]\ncors: { origins: ["*"] }'), /cors\.origins must name/)
  t.match(load('trustedProxies: [10.0.0.1]').accounts.trustedHeader, { name: 'Remote-Email', createAccounts: false })
})

t.test('no import sends the header', async (t) => {
  const body = { url: `${service.base}/api/users/me`, headers: { 'REMOTE-email': 'ada@example.org' } }
  const refused = refusal(400, 'BAD_REQUEST', /^headers\.REMOTE-email is not allowed/)
  t.match(await post(service, '/api/import/url', body), refused)
})
