import t from 'tap'
import { call, get, startService } from '../harness/service.ts'

const APP = 'https://app.example.org'
const preflight = (origin: string): RequestInit => ({
  headers: {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-api-key,x-guest-fingerprint',
  },
})
const corsHeaders = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'))

t.test('pages of other origins are refused by default', async (t) => {
  await using service = await startService()
  const asked = await call(service, 'OPTIONS', '/api/conversions', preflight(APP))
  t.same(corsHeaders(asked.headers), [])
  t.same(corsHeaders((await get(service, '/api/tools', { origin: APP })).headers), [])
})

t.test('configured origins are allowed, also for errors; others are refused', async (t) => {
  await using service = await startService({ change: ({ cors }) => (cors.origins = [APP, 'http://localhost:5173']) })
  for (const origin of [APP, 'http://localhost:5173']) {
    const asked = await call(service, 'OPTIONS', '/api/conversions', preflight(origin))
    t.equal(asked.status, 204)
    const allowed = (name: string) => asked.headers.get(`access-control-allow-${name}`)!.toLowerCase().split(/, ?/)
    t.same(allowed('origin'), [origin])
    for (const method of ['get', 'post', 'delete', 'patch']) t.ok(allowed('methods').includes(method), method)
    for (const header of ['authorization', 'content-type', 'x-api-key', 'x-guest-fingerprint', 'x-team-id']) {
      t.ok(allowed('headers').includes(header), header)
    }
    t.equal(asked.headers.get('access-control-max-age'), '600')
    t.equal(asked.headers.get('access-control-allow-credentials'), null, 'no cookies')
    for (const path of ['/api/tools', '/api/conversions/conv_none', '/api/nosuch']) {
      const reply = await get(service, path, { origin })
      t.equal(reply.headers.get('access-control-allow-origin'), origin, `${path} ${reply.status}`)
      t.match(reply.headers.get('access-control-expose-headers'), /Retry-After/)
      t.match(reply.headers.get('vary'), /Origin/i)
    }
    t.equal(
      (await get(service, '/api/tools', { origin, authorization: 'Bearer x' })).headers.get(
        'access-control-allow-origin',
      ),
      origin,
    )
  }
  for (const origin of [
    'https://evil.example',
    `${APP}.evil.example`,
    'https://app.example.org:444',
    'null',
    APP.toUpperCase(),
  ]) {
    t.same(corsHeaders((await call(service, 'OPTIONS', '/api/tools', preflight(origin))).headers), [], origin)
    t.same(corsHeaders((await get(service, '/api/tools', { origin })).headers), [], origin)
  }
  t.same(corsHeaders((await get(service, '/metrics', { origin: APP })).headers), [], 'the interface only')
  t.same((await call(service, 'OPTIONS', '/api/tools')).headers.get('allow'), 'GET, HEAD, OPTIONS', 'not a preflight')
})

t.test('* allows all origins', async (t) => {
  await using service = await startService({ change: ({ cors }) => (cors.origins = ['*']) })
  t.equal(
    (await get(service, '/api/tools', { origin: 'https://a.example' })).headers.get('access-control-allow-origin'),
    '*',
  )
})
