/** Registration, sign-in, sessions and API keys, over HTTP. */
import t from 'tap'
import { ahead } from '../harness/clock.ts'
import { call, get, post, serviceOf, start, startService } from '../harness/service.ts'
import { bearer, makeKey, PASSWORD, type Person, signUp } from './people.ts'

const service = await serviceOf(t)
const { users } = service.kernel.accounts
const me = (headers: Record<string, string>) => get(service, '/api/users/me', headers)
const register = (body: object) => post(service, '/api/auth/register', body)
const login = (email: string, password = PASSWORD) => post(service, '/api/auth/login', { email, password })
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
const refused = (status: number, code: string, message = /./) => ({ status, json: { error: { code, message } } })

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
  t.match(await register({ email: 'aDA@example.org', password: PASSWORD }), refused(409, 'EMAIL_TAKEN'))
  const row = (await users.byEmail('ADA@example.org'))!
  t.match(row.password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  t.notOk(row.verified, 'nobody has proved that the address is theirs')
})

t.test('registration refuses invalid values', async (t) => {
  const bodies: [object, RegExp][] = [
    [{ password: PASSWORD }, /^email is missing/],
    [{ email: 'x@example.org' }, /^password is missing.*8 to 256/],
    [{ email: 'x@example.org', password: 'seven77' }, /^password must be a string of 8 to 256/],
    [{ email: 'x@example.org', password: 'x'.repeat(257) }, /^password must/],
    ...['no', 'a@b', 'a@b..org', 'a b@c.org', 'a@c.org\r\nBcc: d@e.org', 'ä@b.org', '"a"@b.org', '@b.org', 7, null].map(
      (email) => [{ email, password: PASSWORD }, /^email must be an email address/] as [object, RegExp],
    ),
    [{ email: 'x@example.org', password: PASSWORD, name: {} }, /^name must/],
  ]
  for (const [body, message] of bodies) t.match(await register(body), refused(400, 'BAD_REQUEST', message))
  // Characters are counted.
  t.equal((await register({ email: 'eight@example.org', password: '👍'.repeat(8) })).status, 201)
})

t.test('registration can be closed', async (t) => {
  await using closed = await startService({ change: (config) => (config.accounts.registration = false) })
  const reply = await post(closed, '/api/auth/register', { email: 'x@example.org', password: PASSWORD })
  t.match(reply, refused(403, 'FORBIDDEN', /closed/))
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
  t.strictSame(Object.keys(mine.user).sort(), ['createdAt', 'email', 'id', 'name', 'plan', 'status'])
  t.strictSame(mine.usage, { conversionsToday: 0, bytesToday: 0, pendingJobs: 0, storedBytes: 0 })
  t.strictSame(mine.limits, service.kernel.config.plans.pro)
  const composed = 'Zürcher Straße'
  await register({ email: 'nfc@example.org', password: composed.normalize('NFC') })
  t.equal((await login('nfc@example.org', composed.normalize('NFD'))).status, 200, 'however the keyboard composes it')
})

t.test('an unknown address and a wrong password get the same answer, after the same work', async (t) => {
  const ada = await signUp(service)
  const work = { known: [] as number[], unknown: [] as number[] }
  const bodies = new Set<string>()
  for (let n = 0; n < 9; n++) {
    for (const kind of ['known', 'unknown'] as const) {
      const before = process.cpuUsage()
      const reply = await login(kind === 'known' ? ada.email : 'nobody@example.org', 'wrong wrong')
      const { user, system } = process.cpuUsage(before)
      work[kind].push((user + system) / 1000)
      t.equal(reply.status, 401)
      bodies.add(reply.body.toString())
    }
  }
  t.equal(bodies.size, 1)
  const [known, unknown] = [work.known, work.unknown].map((all) => all.sort((a, b) => a - b)[4]!) as [number, number]
  t.ok(unknown > known / 2 && unknown < known * 2, `${known} ms and ${unknown} ms of the processor`)
  // Without a hash to compare, it would be less: hashing a password takes longer than a request.
  t.ok(unknown > 8, `${unknown} ms`)
})

/** The same bytes with one more bit set: 32 bytes are 43 characters, and the last character has two unused bits. */
function respelt(part: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return part.slice(0, -1) + letters[letters.indexOf(part.at(-1)!) ^ 1]
}

t.test('forged sessions are refused', async (t) => {
  const ada = await signUp(service)
  const [head, body, signature] = ada.token.split('.') as [string, string, string]
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const download = await service.kernel.tokens.sign(ada.id, 'outputs/x')
  const authorizations = [
    `Bearer ${encode({ alg: 'none' })}.${body}.`,
    `Bearer ${encode({ alg: 'none' })}.${body}.${signature}`,
    `Bearer ${head}.${encode({ ...claimsOf(ada.token), exp: 9e9 })}.${signature}`,
    `Bearer ${head}.${body}.`,
    `Bearer ${head}.${body}`,
    `Bearer ${download}`,
    `Bearer ${ada.token}x`,
    // Other spellings of the same bytes.
    `Bearer ${ada.token}=`,
    `Bearer ${head}=.${body}.${signature}`,
    `Bearer ${head}.${body}.${respelt(signature)}`,
    `Basic ${ada.token}`,
    ada.token,
    'Bearer ',
    `Bearer ${ada.token} x`,
    `Bearer ${'x'.repeat(9000)}`,
  ]
  for (const authorization of authorizations) {
    for (const path of ['/api/users/me', '/api/tools']) {
      const reply = await get(service, path, { authorization })
      t.match(reply, refused(401, 'UNAUTHORIZED'), authorization.slice(0, 30))
      t.match(reply.headers.get('www-authenticate'), /^Bearer/)
    }
  }
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

t.test('API keys: shown once, stored as a hash, in two forms, not where a session is required', async (t) => {
  const ada = await signUp(service, 'pro')
  const { status, json, headers } = await post(service, '/api/api-keys', { name: 'build' }, ada.session)
  t.equal(status, 201)
  t.equal(headers.get('cache-control'), 'no-store')
  t.match(json.key, /^ath_[\w-]{43}$/)
  t.match(json.apiKey, { id: /^key_[0-9a-f]{32}$/, name: 'build', lastUsedAt: null, expiresAt: null })
  t.equal(json.key.slice(0, 12), json.apiKey.prefix)
  for (const form of [{ 'x-api-key': json.key }, bearer(json.key)]) {
    t.equal((await get(service, '/api/conversions', form)).status, 200)
    for (const [method, path] of [
      ['GET', '/api/users/me'],
      ['GET', '/api/api-keys'],
      ['POST', '/api/api-keys'],
      ['DELETE', `/api/api-keys/${json.apiKey.id}`],
    ] as const) {
      t.match(await call(service, method, path, { headers: form }), refused(401, 'UNAUTHORIZED', /session/), path)
    }
  }
  const list = await get(service, '/api/api-keys', ada.session)
  t.strictSame(Object.keys(list.json.apiKeys[0]).sort(), [
    'createdAt',
    'expiresAt',
    'id',
    'lastUsedAt',
    'name',
    'prefix',
  ])
  t.notMatch(list.body.toString(), json.key.slice(12))
  const bad = [
    json.key.slice(0, -1),
    `${json.key}a`,
    json.apiKey.prefix,
    json.apiKey.id,
    json.key.toUpperCase(),
    ada.token,
    '',
  ]
  for (const key of bad) {
    t.match(
      await get(service, '/api/conversions', { 'x-api-key': key }),
      refused(401, 'UNAUTHORIZED'),
      key.slice(0, 20),
    )
  }
})

t.test('an account is deleted by its password, with its keys, files and teams', async (t) => {
  const ada = await signUp(service, 'pro')
  const bob = await signUp(service)
  const key = await makeKey(service, ada)
  const { id } = await start(service, {}, ada.session)
  const leave = (body: object, headers: Record<string, string> = ada.session) =>
    post(service, '/api/users/me/delete', body, headers)
  for (const body of [{}, { password: 'wrong wrong' }])
    t.match(await leave(body), refused(400, 'BAD_REQUEST', /^password is wrong/))
  t.match(await leave({ password: PASSWORD }, key.bySecret), refused(401, 'UNAUTHORIZED', /session/))
  const read = (headers: Record<string, string>) => get(service, `/api/conversions/${id}`, headers)
  t.equal((await read(ada.session)).status, 200)
  t.equal((await leave({ password: PASSWORD })).status, 204)
  for (const headers of [ada.session, key.bySecret, key.byBearer]) t.equal((await read(headers)).status, 401)
  t.match(await login(ada.email), refused(401, 'UNAUTHORIZED'))
  t.equal(await users.byId(ada.id), undefined)
  const again = await register({ email: ada.email, password: PASSWORD })
  t.equal(again.status, 201, 'the address is free')
  t.equal((await read(bearer(again.json.token))).status, 404, 'and its next owner sees nothing')
  t.equal((await me(bob.session)).status, 200)
})

t.test('an account without a password is deleted within ten minutes of a sign-in', async (t) => {
  const ada = await signUp(service)
  await users.change(ada.id, { password_hash: null })
  const leave = () => post(service, '/api/users/me/delete', {}, ada.session)
  t.match(await ahead(10 * 60_000 + 2000, leave), refused(403, 'FORBIDDEN', /Sign in again/))
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
    ['business', 20],
  ] as const) {
    const ada = await signUp(service, plan)
    const make = (more = {}) => post(service, '/api/api-keys', { name: 'k', ...more }, ada.session)
    const replies = await Promise.all(Array.from({ length: max + 4 }, () => make()))
    t.equal(replies.filter(({ status }) => status === 201).length, max, plan)
    for (const reply of replies.filter(({ status }) => status !== 201))
      t.match(reply, refused(403, 'FORBIDDEN', /plan/))
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
      t.equal(await service.kernel.accounts.keys.sweep(Date.now(), 100), 1, 'and the sweeper takes it')
    })
  }
})

t.test('null allows any number of keys', async (t) => {
  await using open = await startService({ change: (config) => (config.plans.free.apiKeys = null) })
  const ada = await signUp(open)
  for (let n = 0; n < 3; n++) t.equal((await post(open, '/api/api-keys', { name: 'k' }, ada.session)).status, 201)
})

t.test('invalid keys', async (t) => {
  const ada = await signUp(service, 'pro')
  const bodies: [object, RegExp][] = [
    [{}, /^name is missing/],
    [{ name: '' }, /^name must/],
    [{ name: 'x'.repeat(101) }, /^name must/],
    [{ name: 'x', expiresAt: 'soon' }, /^expiresAt must be a time/],
    [{ name: 'x', expiresAt: 7 }, /^expiresAt must be a time/],
    [{ name: 'x', expiresAt: '2030-02-31T99:00:00Z' }, /^expiresAt must be a time/],
    [{ name: 'x', expiresAt: '2001-01-01T00:00:00.000Z' }, /^expiresAt must be in the future/],
  ]
  for (const [body, message] of bodies) {
    t.match(await post(service, '/api/api-keys', body, ada.session), refused(400, 'BAD_REQUEST', message))
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

t.test('the queue of sign-ins is limited', async (t) => {
  const replies = await Promise.all(Array.from({ length: 120 }, () => login('nobody@example.org', 'wrong wrong')))
  const busy = replies.filter(({ status }) => status === 503)
  t.ok(busy.length > 0 && busy.length <= 18, `${busy.length} sent away`)
  t.match(busy[0], refused(503, 'QUEUE_FULL_GLOBAL'))
  t.ok(Number(busy[0]!.headers.get('retry-after')) > 0)
  t.equal(replies.filter(({ status }) => status === 401).length, 120 - busy.length)
})

t.test('accounts of one address share its quota until their address is verified', async (t) => {
  await using proxied = await startService({
    env: { TRUSTED_PROXIES: '127.0.0.1' },
    change({ plans }) {
      plans.free = { ...plans.free, conversionsPerDay: 2 }
    },
  })
  const at = (address: string, person: Person) => ({ 'x-forwarded-for': address, ...person.session })
  const people: Person[] = []
  for (let n = 0; n < 4; n++) people.push(await signUp(proxied))
  const [ada, bob, cy, dora] = people as [Person, Person, Person, Person]
  const ask = async (headers: Record<string, string>) => (await start(proxied, {}, headers)).started
  const usageOf = async (headers: Record<string, string>) => (await get(proxied, '/api/users/me', headers)).json.usage
  for (const person of [ada, bob]) t.equal((await ask(at('192.0.2.1', person))).status, 201)
  const beyond = refused(429, 'QUOTA_EXCEEDED', /the 2 conversions a day .* your network until your email address is/)
  t.match(await ask(at('192.0.2.1', cy)), beyond)
  t.match(await ask(at('192.0.2.1', ada)), beyond)
  t.match(await usageOf(at('192.0.2.1', cy)), { conversionsToday: 2, pendingJobs: 0 })
  const team = (await post(proxied, '/api/teams', { name: 'x' }, cy.session)).json.team.id
  t.match(await ask({ ...at('192.0.2.1', cy), 'x-team-id': team }), beyond, 'a team of such an account, too')
  t.equal((await ask(at('192.0.2.2', cy))).status, 201, 'another address')
  t.equal((await ask(at('192.0.2.2', ada))).status, 201, 'which has another one left')
  t.match(await ask(at('192.0.2.3', ada)), refused(429, 'QUOTA_EXCEEDED'), 'each account counts, too')

  await proxied.kernel.accounts.users.change(dora.id, { verified: true })
  t.equal((await ask(at('192.0.2.1', dora))).status, 201, 'a verified one')
  t.match(await usageOf(at('192.0.2.1', dora)), { conversionsToday: 1 })
  await proxied.kernel.accounts.users.change(ada.id, { plan: 'pro' })
  t.equal((await ask(at('192.0.2.1', ada))).status, 201, 'one that the operator gave a plan')
  proxied.kernel.config.profile = 'home'
  const eve = await signUp(proxied)
  t.equal((await ask(at('192.0.2.1', eve))).status, 201, 'at home, each counts alone')
})

t.test('accounts of one address share its pending conversions', async (t) => {
  await using few = await startService({
    change({ plans }) {
      plans.free = { ...plans.free, pendingJobs: 2 }
    },
  })
  const people: Person[] = []
  for (let n = 0; n < 3; n++) people.push(await signUp(few))
  const ask = async ({ session }: Person) => (await start(few, { options: { sleep: 90_000 } }, session)).started
  const replies = []
  for (const person of people) replies.push(await ask(person))
  t.strictSame(
    replies.slice(0, 2).map(({ status }) => status),
    [201, 201],
  )
  t.match(
    replies[2],
    refused(
      429,
      'QUEUE_FULL_USER',
      /^Your network has 2 pending conversions, the limit of its guests and unverified accounts; wait/,
    ),
  )
  await few.kernel.accounts.users.change(people[2]!.id, { verified: true })
  t.equal((await ask(people[2]!)).status, 201)
})

t.test('in production, few accounts a day are registered from a network', async (t) => {
  await using production = await startService({
    env: { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(40), TRUSTED_PROXIES: '127.0.0.1' },
    change({ accounts, rates }) {
      accounts.registrationsPerDay = 2
      rates.authentication = { perMinute: null, perHour: null }
    },
  })
  let made = 0
  const register = (address: string, email = `new${++made}@example.org`) =>
    post(
      production,
      '/api/auth/register',
      { email, password: PASSWORD },
      {
        'x-forwarded-proto': 'https',
        'x-forwarded-for': address,
      },
    )
  t.equal((await register('192.0.2.1')).status, 201)
  t.equal((await register('192.0.2.1', 'new1@example.org')).status, 409, 'a refused one does not count')
  const both = await Promise.all([register('192.0.2.1'), register('192.0.2.1')])
  t.strictSame(both.map(({ status }) => status).sort(), [201, 429], 'of two at the same time, one')
  const beyond = await register('192.0.2.1')
  t.match(beyond, refused(429, 'QUOTA_EXCEEDED', /^At most 2 accounts a day can be registered from one network; a new/))
  const wait = Number(beyond.headers.get('retry-after'))
  t.ok(wait >= 1 && wait <= 86_400, `${wait} seconds`)
  t.equal((await register('192.0.2.2')).status, 201, 'another address')
  for (let n = 0; n < 8; n++) t.equal((await register(`2001:db8:1:${n}::1`)).status, 201, 'eight of a /56')
  t.match(await register('2001:db8:1:8::1'), refused(429, 'QUOTA_EXCEEDED', /^At most 8 accounts/))
  t.equal((await register('2001:db8:1:100::1')).status, 201, 'another /56')
  production.kernel.config.accounts.registrationsPerDay = null
  t.equal((await register('192.0.2.1')).status, 201)
})
