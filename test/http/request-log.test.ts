import t from 'tap'
import { call, get, serviceOf } from '../harness/service.ts'

const service = await serviceOf(t)

/** Returns the log line of a request, as soon as its answer is there. */
const lineOf = (id: string) => service.log.find(({ requestId, msg }) => requestId === id && msg === 'request')

t.test('the id of a request', async (t) => {
  const ask = async (id: string) =>
    (await get(service, '/api/nope', { 'x-request-id': id })).headers.get('x-request-id')!
  for (const id of ['abc-123', 'A', 'x.y_z-9', 'a'.repeat(64)])
    t.equal(await ask(id), id, 'is the one that the client gave')
  for (const id of ['a'.repeat(65), 'a b', 'a/b', '<x>', 'a,b', '']) {
    const made = await ask(id)
    t.not(made, id, JSON.stringify(id.slice(0, 5)))
    t.match(made, /^[A-Za-z0-9._-]{1,64}$/)
  }
  t.not(await ask(''), await ask(''), 'and new each time')
})

t.test('one line for each request', async (t) => {
  await get(service, '/api/nope?token=secret', { 'x-request-id': 'unknown-path' })
  t.match(lineOf('unknown-path'), {
    level: 30,
    method: 'GET',
    path: '/api/nope',
    status: 404,
    ms: Number,
    bytes: Number,
  })
  await get(service, '/api/tools/nosuch', { 'x-request-id': 'known-route' })
  t.match(lineOf('known-route'), { level: 30, route: '/api/tools/:slug', status: 404 })
  await get(service, '/healthz', { 'x-request-id': 'poll' })
  t.match(lineOf('poll'), { level: 20, route: '/healthz', status: 200 }, 'polls only when one debugs')
})

t.test('the line of a refused request has no file name', async (t) => {
  const key = 'uploads/2026/01/01/0123/Last-will.pdf'
  const named = { method: 'PATCH', path: `/api/files/${encodeURIComponent(key)}` }
  const ways: { method: string; path: string; key?: string }[] = [
    named,
    { ...named, method: 'DELETE', path: `${named.path}/download` },
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

t.test('a refusal carries its code', async (t) => {
  await get(service, '/api/nope', { 'x-request-id': 'code-path' })
  t.match(lineOf('code-path'), { status: 404, code: 'NOT_FOUND' })
  await call(service, 'POST', '/api/tools', { headers: { 'x-request-id': 'code-method' } })
  t.match(lineOf('code-method'), { status: 405, code: 'METHOD_NOT_ALLOWED' })
  await get(service, '/api/users/me', { 'x-request-id': 'code-key', 'x-api-key': 'ath_none' })
  t.match(lineOf('code-key'), { status: 401, code: 'UNAUTHORIZED' })
  await get(service, '/api/tools', { 'x-request-id': 'code-none' })
  t.notOk('code' in lineOf('code-none')!)
})
