/**
 * Rate limits as clients see them, in production behind a trusted proxy. Windows have their real length; no test waits
 * for one.
 */
import t, { type Test } from 'tap'
import { createMemoryStore } from '../../kernel/http/rates/store.ts'
import { call, form, get, post, type Reply, refusal, serviceOf, startBatch, upload } from '../harness/service.ts'
import { beside, proxied as from, PRODUCTION } from './beside.ts'
import { makeKey, signUp } from './people.ts'
import { countsRequests } from './rate-windows-suite.ts'

const plain = await serviceOf(t)
const { config } = plain.kernel
const service = await beside(plain, PRODUCTION)
t.teardown(() => service[Symbol.asyncDispose]())

const families = ['ratelimit', 'x-ratelimit'] as const
const rateOf = ({ headers }: Reply) =>
  Object.fromEntries(
    families.flatMap((family) =>
      ['limit', 'remaining', 'reset'].map((name) => [`${family}-${name}`, headers.get(`${family}-${name}`)]),
    ),
  )

/** When the service answered, in seconds. */
const timeOf = ({ headers }: Reply) => Date.parse(headers.get('date')!) / 1000

/** Checks the headers of both families: the window that applies has `limit` requests, of which `left` are left. */
function holds(t: Test, reply: Reply, limit: number, left: number, window = 60): void {
  const rate = rateOf(reply)
  const limits = `${limit}`
  const lefts = `${left}`
  t.match(rate, { 'ratelimit-limit': limits, 'x-ratelimit-limit': limits }, `${limit} in all`)
  t.match(rate, { 'ratelimit-remaining': lefts, 'x-ratelimit-remaining': lefts }, `${left} left`)
  const seconds = Number(rate['ratelimit-reset'])
  const epoch = Number(rate['x-ratelimit-reset'])
  t.ok(Number.isInteger(seconds) && seconds > 0 && seconds <= window, `${seconds} seconds are left`)
  t.ok(Number.isInteger(epoch) && Math.abs(epoch - timeOf(reply) - seconds) <= 2, 'the other is a time')
}

function isRefused(t: Test, reply: Reply, window = 60): void {
  t.match(reply, refusal(429, 'RATE_LIMITED', /try again in \d+ seconds/))
  const wait = Number(reply.headers.get('retry-after'))
  t.ok(Number.isInteger(wait) && wait >= 1 && wait <= window, `Retry-After: ${wait}`)
}

const repeat = async (times: number, ask: () => Promise<Reply>) => {
  let reply = await ask()
  for (let n = 1; n < times; n++) reply = await ask()
  return reply
}

const tools = (headers: Record<string, string>) => get(service, '/api/tools?limit=1', headers)

t.test('API requests of a guest: 30 a minute', async (t) => {
  const me = from('192.0.2.1', { 'x-guest-fingerprint': 'a' })
  const first = await tools(me)
  holds(t, first, 30, 29)
  t.equal(first.headers.get('retry-after'), null)
  const reads = ['/api/tools/none', '/api/formats', '/api/openapi.json', '/api/nosuch'].map((path) => ['GET', path])
  const others = ['DELETE /api/conversions/conv_none', 'PUT /api/tools', 'HEAD /api/tools'].map((op) => op.split(' '))
  for (const [at, [method, path]] of [...reads, ...others].entries())
    holds(t, await call(service, method!, path!, { headers: me }), 30, 28 - at)
  holds(t, await repeat(22, () => tools(me)), 30, 0)
  const refused = await tools(me)
  isRefused(t, refused)
  holds(t, refused, 30, 0)
  t.equal(refused.headers.get('retry-after'), refused.headers.get('ratelimit-reset'))
  isRefused(t, await tools({ ...me, 'x-guest-fingerprint': 'b' }))
  t.equal((await tools(from('192.0.2.2'))).status, 200, 'another address is another client')
  t.equal((await upload(service, form('STUB\n'), me)).status, 201, 'families are counted apart')
  t.equal((await tools({ ...me, authorization: 'Bearer none' })).status, 401, 'credentials are judged before')
  t.equal((await get(service, '/healthz', me)).headers.get('ratelimit-limit'), null)
})

t.test('limits apply per plan and account, from any address; keys share them', async (t) => {
  for (const [plan, limit] of [
    ['free', 30],
    ['pro', 120],
    ['business', 300],
  ] as const) {
    const proxy = from(`198.51.100.${limit % 250}`)
    const user = await signUp(service, plan, proxy)
    holds(t, await get(service, '/api/users/me', { ...proxy, ...user.session }), limit, limit - 1)
    holds(t, await tools(from('203.0.113.1', user.session)), limit, limit - 2)
    if (plan !== 'pro') continue
    const key = await makeKey(service, { ...user, session: { ...proxy, ...user.session } })
    holds(t, await tools(from('203.0.113.2', key.bySecret)), limit, limit - 4)
  }
})

t.test('conversions: 10 a minute, counted before the body is checked; a batch counts once', async (t) => {
  const me = from('192.0.2.10')
  const { file, started: batch } = await startBatch(service, [{}, {}], me)
  const { fileId } = file
  t.equal(batch.status, 201)
  holds(t, batch, 10, 9)
  holds(t, await post(service, '/api/conversions', { fileId, toFormat: 'bust' }, me), 10, 8)
  holds(t, await repeat(8, () => post(service, '/api/conversions', { fileId: 7 }, me)), 10, 0)
  const beyond = await post(service, '/api/conversions', { fileId: 7 }, me)
  isRefused(t, beyond)
  t.match(beyond.json.error.message, /^At most 10 conversions a minute are allowed; /)
  isRefused(t, await post(service, '/api/conversions/batch', '{', me))
  const reply = await get(service, `/api/conversions/batch/${batch.json.batchId}`, me)
  t.same([reply.status, reply.headers.get('ratelimit-limit')], [200, null], 'polling is not counted')
})

t.test('invalid credentials count per address, and the answers have rate headers', async (t) => {
  const at = (address: string) => from(address, { authorization: 'Bearer none' })
  const bad = at('192.0.2.50')
  const refused = await tools(bad)
  t.equal(refused.status, 401)
  holds(t, refused, 30, 29)
  holds(t, await tools({ ...from('192.0.2.50'), 'x-api-key': 'ath_none' }), 30, 28)
  holds(t, await post(service, '/api/conversions', {}, bad), 10, 9)
  // If a key is sent where a session is required, the request is refused after the rate limits and counted once.
  const user = await signUp(service, 'pro', from('192.0.2.51'))
  const key = await makeKey(service, { ...user, session: { ...from('192.0.2.51'), ...user.session } })
  const me = await get(service, '/api/users/me', from('192.0.2.51', key.bySecret))
  t.equal(me.status, 401)
  holds(t, me, 120, 118)
  await service.kernel.accounts.users.change(user.id, { status: 'suspended' })
  const suspended = await tools(from('192.0.2.52', user.session))
  t.equal(suspended.status, 403)
  holds(t, suspended, 30, 29)
  service.kernel.settings.maintenance = true
  const closed = await tools(from('192.0.2.53'))
  service.kernel.settings.maintenance = false
  t.equal(closed.status, 503)
  holds(t, closed, 30, 29)
})

t.test('further pages of the catalogue count by themselves', async (t) => {
  const me = from('192.0.2.60')
  const { nextCursor } = (await tools(me)).json
  for (let page = 1; page <= 2; page++)
    holds(t, await get(service, `/api/tools?limit=1&cursor=${nextCursor}`, me), 300, 300 - page)
  holds(t, await tools(me), 30, 28)
})

t.test('signing in: 10 a minute per address, also with credentials', async (t) => {
  const user = await signUp(service, 'pro', from('192.0.2.40'))
  const wrong = { email: user.email, password: 'wrong wrong' }
  holds(t, await post(service, '/api/auth/login', wrong, from('192.0.2.41')), 10, 9)
  holds(t, await post(service, '/api/auth/login', wrong, from('192.0.2.41', user.session)), 10, 8)
  holds(t, await post(service, '/api/auth/register', {}, from('192.0.2.41')), 10, 7)
  holds(t, await repeat(7, () => get(service, '/api/auth/none', from('192.0.2.41'))), 10, 0)
  isRefused(t, await post(service, '/api/auth/login', wrong, from('192.0.2.41')))
  isRefused(t, await post(service, '/api/auth/login', wrong, from('192.0.2.41', user.session)))
  t.equal((await post(service, '/api/auth/login', wrong, from('192.0.2.42'))).status, 401)
})

t.test('the long window, and which of the two windows the headers show', async (t) => {
  const { rates, plans } = config
  await using service = await beside(plain, {
    ...PRODUCTION,
    rates: {
      ...rates,
      uploads: { perMinute: 3, perHour: 4 },
      conversions: { perMinute: 5, perHour: 2 },
      downloads: { perMinute: null, perHour: 2 },
      authentication: { perMinute: null, perHour: null },
    },
    plans: { ...plans, guest: { ...plans.guest, requestsPerMinute: 2, requestsPerHour: 3 } },
  })
  const me = from('192.0.2.1')
  holds(t, await upload(service, form('STUB\n'), me), 3, 2)
  const start = () => post(service, '/api/conversions', {}, me)
  holds(t, await start(), 2, 1, 3600)
  holds(t, await start(), 2, 0, 3600)
  const refused = await start()
  isRefused(t, refused, 3600)
  holds(t, refused, 2, 0, 3600)
  t.ok(Number(refused.headers.get('retry-after')) > 60)
  const file = () => get(service, '/api/files/x', me)
  holds(t, await file(), 2, 1, 3600)
  await file()
  isRefused(t, await file(), 3600)
  const login = await repeat(20, () => get(service, '/api/auth/none', me))
  t.same([login.status, login.headers.get('ratelimit-limit')], [404, null], 'null lifts a limit')

  // Requests that the short window refuses do not count in the long one.
  const formats = await repeat(10, () => get(service, '/api/formats', me))
  isRefused(t, formats)
  holds(t, formats, 2, 0)
})

t.test('the ceiling over all endpoints refuses with the legacy headers', async (t) => {
  await using service = await beside(plain, { ...PRODUCTION, rates: { ...config.rates, ceiling: 6 } })
  const me = from('192.0.2.1')
  const list = await repeat(4, () => get(service, '/api/conversions', me))
  t.same([list.status, list.headers.get('x-ratelimit-limit')], [200, null])
  await get(service, '/api/tools', me)
  await get(service, '/api/files/x', me)
  for (const path of ['/api/conversions', '/api/tools', '/api/files/x']) {
    const refused = await get(service, path, me)
    isRefused(t, refused, 900)
    const { 'x-ratelimit-reset': reset, ...rest } = rateOf(refused)
    t.same(rest, {
      'x-ratelimit-limit': '6',
      'x-ratelimit-remaining': '0',
      'ratelimit-limit': null,
      'ratelimit-remaining': null,
      'ratelimit-reset': null,
    })
    t.ok(Math.abs(Number(reset) - timeOf(refused) - Number(refused.headers.get('retry-after'))) <= 2)
  }
  isRefused(t, await upload(service, form('STUB\n'), me), 900)
  t.equal((await get(service, '/readyz', me)).status, 200)
  t.equal((await get(service, '/api/conversions', from('192.0.2.2'))).status, 200)
})

t.test('there are no rate limits in development', async (t) => {
  t.same([...new Set(Object.values(rateOf(await get(plain, '/api/tools'))))], [null])
})

t.test('windows in the memory of one node', (t) => countsRequests(t, createMemoryStore()))

t.test('the store forgets expired windows, and its size is limited', async (t) => {
  const { db } = createMemoryStore(100).optionsFor('window')
  const counts = db as Map<string, { reset: number }>
  const later = Date.now() / 1000 + 60
  for (let n = 0; n < 1000; n++) counts.set(`${n}`, { reset: later + n })
  t.equal(counts.size, 100)
  t.ok(counts.has('999') && !counts.has('899'), 'those that end first go first')
  for (const key of [...counts.keys()]) counts.get(key)!.reset = 0
  for (let n = 0; n < 60; n++) counts.set(`new ${n}`, { reset: later })
  t.equal(counts.size, 60, 'what is over goes when others come')
  counts.set('new 0', { reset: later })
  t.equal([...counts.keys()].at(-1), 'new 0', 'a new window goes to the end')
})
