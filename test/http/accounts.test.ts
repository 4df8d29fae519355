/** Registration, sign-in, sessions and API keys, over HTTP. */
import t from 'tap'
import { createPasswords } from '../../kernel/people/passwords.ts'
import { ahead } from '../harness/clock.ts'
import { call, get, post, refusal, serviceOf, start } from '../harness/service.ts'
import { bearer, makeKey, PASSWORD, type Person, signUp } from './people.ts'

const service = await serviceOf(t, { env: { TRUSTED_PROXIES: '127.0.0.1' } })
const { config } = service.kernel
const { users } = service.kernel.accounts
const me = (headers: Record<string, string>) => get(service, '/api/users/me', headers)
const register = (body: object) => post(service, '/api/auth/register', body)
const login = (email: string, password = PASSWORD) => post(service, '/api/auth/login', { email, password })
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())

t.test('registration makes a free account and signs in', async (t) => {
  const { status, json, headers } = await register({
    email: 'Ada@Example.org',
    password: PASSWORD,
    name: 'Ada',
    plan: 'pro',
  })
  t.equal(status, 201)
  t.equal(headers.get('cache-control'), 'no-store')
  t.match(json.user, {
    id: /^user_[0-9a-f]{32}$/,
    email: 'ada@example.org',
    name: 'Ada',
    plan: 'free',
    status: 'active',
  })
  t.equal((await me(bearer(json.token))).status, 200)
  t.match(await register({ email: 'aDA@example.org', password: PASSWORD }), refusal(409, 'EMAIL_TAKEN'))
  const row = (await users.byEmail('ADA@example.org'))!
  t.match(row.password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  t.notOk(row.verified, 'nobody has proved that the address is theirs')
  config.accounts.registration = false
  t.match(await register({ email: 'x@example.org', password: PASSWORD }), refusal(403, 'FORBIDDEN', /closed/))
  config.accounts.registration = true
})

t.test('registration refuses invalid values', async (t) => {
  const bodies: [object, RegExp][] = [
    [{ password: PASSWORD }, /^email is missing/],
    [{ email: 'x@example.org' }, /^password is missing.*8 to 256/],
    [{ email: 'x@example.org', password: 'seven77' }, /^password must be a string of 8 to 256/],
    [{ email: 'x@example.org', password: 'x'.repeat(257) }, /^password must/],
    ...['no', 'a@b', 'a@b..org', 'a b@c.org', 'a@c.org\r\nBcc: d@e.org', 'ä@b.org', '"a"@b.org', 7].map(
      (email): [object, RegExp] => [{ email, password: PASSWORD }, /^email must be an email address/],
    ),
    [{ email: 'x@example.org', password: PASSWORD, name: {} }, /^name must/],
  ]
  for (const [body, message] of bodies) t.match(await register(body), refusal(400, 'BAD_REQUEST', message))
  // Characters are counted.
  t.equal((await register({ email: 'eight@example.org', password: '👍'.repeat(8) })).status, 201)
})

t.test('only one of concurrent registrations of an address succeeds', async (t) => {
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => register({ email: 'one@example.org', password: PASSWORD })),
  )
  t.strictSame(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
})

t.test('login starts a session of 7 days', async (t) => {
  const ada = await signUp(service, 'pro')
  const { status, json } = await login(ada.email.toUpperCase())
  t.equal(status, 200)
  const { iat, exp, sub } = claimsOf(json.token)
  t.equal(exp - iat, 7 * 86_400)
  t.equal(sub, ada.id)
  const { status: ok, json: mine } = await me(bearer(json.token))
  t.equal(ok, 200)
  t.strictSame(mine.usage, { conversionsToday: 0, bytesToday: 0, pendingJobs: 0, storedBytes: 0 })
  t.strictSame(mine.limits, service.kernel.config.plans.pro)
  const composed = 'Zürcher Straße'
  await register({ email: 'nfc@example.org', password: composed.normalize('NFC') })
  t.equal((await login('nfc@example.org', composed.normalize('NFD'))).status, 200, 'however the keyboard composes it')
})

t.test('an unknown address and a wrong password get the same answer, after the same work', async (t) => {
  const ada = await signUp(service)
  const bodies = new Set<string>()
  const work: number[] = []
  for (const email of [ada.email, 'nobody@example.org', 'nobody@example.org', 'nobody@example.org']) {
    const before = process.cpuUsage()
    const reply = await login(email, 'wrong wrong')
    const { user, system } = process.cpuUsage(before)
    work.push((user + system) / 1000)
    t.equal(reply.status, 401)
    bodies.add(reply.body.toString())
  }
  t.equal(bodies.size, 1)
  // Without a hash to compare, it would be less: hashing a password takes longer than a request.
  t.ok(Math.min(...work.slice(1)) > 8, `${work} ms of the processor`)
})

/** The same bytes with one more bit set: 32 bytes are 43 characters, and the last character has two unused bits. */
function respelt(part: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return part.slice(0, -1) + letters[letters.indexOf(part.at(-1)!) ^ 1]
}

// test/hostile/tokens.test.ts forges sessions.
t.test('other spellings of a session are refused', async (t) => {
  const ada = await signUp(service)
  const [head, body, signature] = ada.token.split('.') as [string, string, string]
  for (const token of [`${ada.token}=`, `${head}=.${body}.${signature}`, `${head}.${body}.${respelt(signature)}`])
    t.match(await me(bearer(token)), refusal(401, 'UNAUTHORIZED'))
  t.equal((await me({ authorization: `bearer  ${ada.token}` })).status, 200, 'the scheme has no case (RFC 9110 §11.1)')
})

t.test('a session ends when it expires, with its user, and with a new password', async (t) => {
  const ada = await signUp(service)
  const status = async () => (await me(ada.session)).status
  t.equal(await ahead(7 * 86_400_000 - 60_000, status), 200)
  t.equal(await ahead(7 * 86_400_000 + 1000, status), 401)
  const bob = await signUp(service)
  await users.setPassword({ id: bob.id }, 'x')
  t.equal((await me(bob.session)).status, 401)
})

t.test('API keys: shown once, stored as a hash, in two forms', async (t) => {
  const ada = await signUp(service, 'pro')
  const { status, json, headers } = await post(service, '/api/api-keys', { name: 'build' }, ada.session)
  t.equal(status, 201)
  t.equal(headers.get('cache-control'), 'no-store')
  t.match(json.key, /^ath_[\w-]{43}$/)
  t.match(json.apiKey, { id: /^key_[0-9a-f]{32}$/, name: 'build', lastUsedAt: null, expiresAt: null })
  t.equal(json.key.slice(0, 12), json.apiKey.prefix)
  for (const form of [{ 'x-api-key': json.key }, bearer(json.key)])
    t.equal((await get(service, '/api/conversions', form)).status, 200)
  const list = await get(service, '/api/api-keys', ada.session)
  t.notMatch(list.body.toString(), json.key.slice(12))
  for (const key of [`${json.key}a`, json.apiKey.prefix, json.key.toUpperCase(), ''])
    t.match(await get(service, '/api/conversions', { 'x-api-key': key }), refusal(401, 'UNAUTHORIZED'))
})

t.test('an account is deleted by its password, with its keys, files and teams', async (t) => {
  const ada = await signUp(service, 'pro')
  const key = await makeKey(service, ada)
  const { id } = await start(service, {}, ada.session)
  const leave = (body: object) => post(service, '/api/users/me/delete', body, ada.session)
  for (const body of [{}, { password: 'wrong wrong' }])
    t.match(await leave(body), refusal(400, 'BAD_REQUEST', /^password is wrong/))
  const read = (headers: Record<string, string>) => get(service, `/api/conversions/${id}`, headers)
  t.equal((await read(ada.session)).status, 200)
  t.equal((await leave({ password: PASSWORD })).status, 204)
  for (const headers of [ada.session, key.bySecret]) t.equal((await read(headers)).status, 401)
  t.equal(await users.byId(ada.id), undefined)
  const again = await register({ email: ada.email, password: PASSWORD })
  t.equal(again.status, 201, 'the address is free')
  t.equal((await read(bearer(again.json.token))).status, 404, 'and its next owner sees nothing')
})

t.test('an account without a password is deleted within ten minutes of a sign-in', async (t) => {
  const ada = await signUp(service)
  await users.change(ada.id, { password_hash: null })
  const leave = () => post(service, '/api/users/me/delete', {}, ada.session)
  t.match(await ahead(10 * 60_000 + 2000, leave), refusal(403, 'FORBIDDEN', /Sign in again/))
  t.equal((await leave()).status, 204)
  t.equal((await me(ada.session)).status, 401)
})

t.test('two credentials must both be valid, and of one account', async (t) => {
  const ada = await signUp(service, 'pro')
  const bob = await signUp(service, 'pro')
  const hers = await makeKey(service, ada)
  const his = await makeKey(service, bob)
  const status = async (headers: Record<string, string>) => (await get(service, '/api/conversions', headers)).status
  t.equal(await status({ ...ada.session, ...hers.bySecret }), 200)
  t.equal(await status({ ...ada.session, ...his.bySecret }), 401)
  t.equal(await status({ ...bearer('none'), ...hers.bySecret }), 401)
  t.equal(await status({ ...ada.session, 'x-api-key': 'none' }), 401)
})

t.test("a plan's number of keys holds, also for many at once; a revoked or expired one makes room", async (t) => {
  for (const [plan, max] of [
    ['free', 0],
    ['pro', 5],
  ] as const) {
    const ada = await signUp(service, plan)
    const make = (more = {}) => post(service, '/api/api-keys', { name: 'k', ...more }, ada.session)
    const replies = await Promise.all(Array.from({ length: max + 4 }, () => make()))
    t.equal(replies.filter(({ status }) => status === 201).length, max, plan)
    for (const reply of replies.filter(({ status }) => status !== 201))
      t.match(reply, refusal(403, 'FORBIDDEN', /plan/))
    if (!max) continue
    const { id } = replies.find(({ status }) => status === 201)!.json.apiKey
    t.equal((await call(service, 'DELETE', `/api/api-keys/${id}`, { headers: ada.session })).status, 204)
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const brief = await make({ expiresAt })
    t.equal(brief.json.apiKey.expiresAt, expiresAt)
    t.equal((await get(service, '/api/conversions', { 'x-api-key': brief.json.key })).status, 200)
    t.equal((await make()).status, 403, 'full again')
    await ahead(3_600_001, async () => {
      t.equal((await get(service, '/api/conversions', { 'x-api-key': brief.json.key })).status, 401)
      t.equal((await make()).status, 201)
    })
  }
})

t.test('the last use is recorded at most once a minute', async (t) => {
  const ada = await signUp(service, 'pro')
  const { id, bySecret } = await makeKey(service, ada)
  const noted = async () =>
    (await get(service, '/api/api-keys', ada.session)).json.apiKeys.find((key: any) => key.id === id).lastUsedAt
  t.equal(await noted(), null)
  const before = Date.now()
  await get(service, '/api/conversions', bySecret)
  const first = await noted()
  t.ok(Date.parse(first) >= before && Date.parse(first) <= Date.now())
  await get(service, '/api/conversions', bySecret)
  t.equal(await noted(), first)
  await ahead(61_000, () => get(service, '/api/conversions', bySecret))
  t.ok(Date.parse(await noted()) >= Date.parse(first) + 60_000)
})

t.test('two sign-ins are hashed and a hundred wait; more are sent away', async (t) => {
  const { verify } = createPasswords()
  // As quick to hash as Argon2id can be.
  const hash = `$argon2id$v=19$m=8,t=1,p=1$${'a'.repeat(22)}$${'a'.repeat(43)}`
  const waiting = Array.from({ length: 102 }, () => verify(PASSWORD, hash))
  t.throws(() => verify(PASSWORD, hash), { code: 'QUEUE_FULL_GLOBAL', retryAfter: 5 })
  t.strictSame(new Set(await Promise.all(waiting)), new Set([false]))
})

t.test('accounts of one address share its quota until their address is verified', async (t) => {
  const { plans } = config
  const { free } = plans
  plans.free = { ...free, conversionsPerDay: 2 }
  const at = (address: string, person: Person) => ({ 'x-forwarded-for': address, ...person.session })
  const people: Person[] = []
  for (let n = 0; n < 4; n++) people.push(await signUp(service))
  const [ada, bob, cy, dora] = people as [Person, Person, Person, Person]
  const ask = async (headers: Record<string, string>) => (await start(service, {}, headers)).started
  for (const person of [ada, bob]) t.equal((await ask(at('192.0.2.1', person))).status, 201)
  const beyond = refusal(429, 'QUOTA_EXCEEDED', /the 2 conversions a day .* your network until your email address is/)
  t.match(await ask(at('192.0.2.1', cy)), beyond)
  t.match(await ask(at('192.0.2.1', ada)), beyond)
  const team = (await post(service, '/api/teams', { name: 'x' }, cy.session)).json.team.id
  t.match(await ask({ ...at('192.0.2.1', cy), 'x-team-id': team }), beyond, 'a team of such an account, too')
  t.equal((await ask(at('192.0.2.2', cy))).status, 201, 'another address')
  t.equal((await ask(at('192.0.2.2', ada))).status, 201, 'which has another one left')
  t.match(await ask(at('192.0.2.3', ada)), refusal(429, 'QUOTA_EXCEEDED'), 'each account counts, too')

  await service.kernel.accounts.users.change(dora.id, { verified: true })
  t.equal((await ask(at('192.0.2.1', dora))).status, 201, 'a verified one')
  await service.kernel.accounts.users.change(ada.id, { plan: 'pro' })
  t.equal((await ask(at('192.0.2.1', ada))).status, 201, 'one that the operator gave a plan')
  config.profile = 'home'
  const eve = await signUp(service)
  t.equal((await ask(at('192.0.2.1', eve))).status, 201, 'at home, each counts alone')
  delete config.profile
  plans.free = free
})

t.test('in production, few accounts a day are registered from a network', async (t) => {
  config.accounts.registrationsPerDay = 2
  config.mode = 'production'
  let made = 0
  const register = (address: string, email = `new${++made}@example.org`) =>
    post(service, '/api/auth/register', { email, password: PASSWORD }, { 'x-forwarded-for': address })
  t.equal((await register('192.0.2.1')).status, 201)
  t.equal((await register('192.0.2.1', 'new1@example.org')).status, 409, 'a refused one does not count')
  const both = await Promise.all([register('192.0.2.1'), register('192.0.2.1')])
  t.strictSame(both.map(({ status }) => status).sort(), [201, 429], 'of two at the same time, one')
  const beyond = await register('192.0.2.1')
  t.match(beyond, refusal(429, 'QUOTA_EXCEEDED', /^At most 2 accounts a day can be registered from one network; a new/))
  const wait = Number(beyond.headers.get('retry-after'))
  t.ok(wait >= 1 && wait <= 86_400, `${wait} seconds`)
  t.equal((await register('192.0.2.2')).status, 201, 'another address')
  for (let n = 0; n < 8; n++) t.equal((await register(`2001:db8:1:${n}::1`)).status, 201, 'eight of a /56')
  t.match(await register('2001:db8:1:8::1'), refusal(429, 'QUOTA_EXCEEDED', /^At most 8 accounts/))
  config.accounts.registrationsPerDay = null
  t.equal((await register('192.0.2.1')).status, 201)
  config.mode = 'development'
})

t.test('accounts of one address share its pending conversions', async (t) => {
  config.plans.free = { ...config.plans.free, pendingJobs: 2 }
  const people: Person[] = []
  for (let n = 0; n < 3; n++) people.push(await signUp(service))
  const ask = async ({ session }: Person) =>
    (await start(service, { options: { sleep: 90_000 } }, { 'x-forwarded-for': '192.0.2.9', ...session })).started
  for (const person of people.slice(0, 2)) t.equal((await ask(person)).status, 201)
  const full = /^Your network has 2 pending conversions, the limit of its guests and unverified accounts; wait/
  t.match(await ask(people[2]!), refusal(429, 'QUEUE_FULL_USER', full))
  await users.change(people[2]!.id, { verified: true })
  t.equal((await ask(people[2]!)).status, 201)
})
