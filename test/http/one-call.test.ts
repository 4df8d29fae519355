import t from 'tap'
import { startOrigin } from '../harness/servers/origin.ts'
import { call, finish, form, get, pathOf, post, refusal, STUB, serviceOf, storedFiles } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const service = await serviceOf(t, {
  change(config) {
    config.plans.guest = { ...config.plans.guest, conversionsPerDay: null, maxFileSize: 100_000 }
    config.imports.allowNetworks = ['127.0.0.1']
    config.queue.workers = 2
  },
})

/** A form with a file and other fields. */
function filled(fields: Record<string, string>, bytes = STUB, name = 'note.stub'): FormData {
  const body = form(bytes, name)
  for (const [field, value] of Object.entries(fields)) body.append(field, value)
  return body
}

const send = (body: FormData, headers: Record<string, string> = {}, query = '') =>
  call(service, 'POST', `/api/convert${query}`, { body, headers })

const options = (value: object) => JSON.stringify(value)

/** A guest whose files nobody else sees. */
const guest = (name: string) => ({ 'x-guest-fingerprint': name })

const list = async (who: Record<string, string>) => (await get(service, '/api/conversions', who)).json.conversions

t.test('the answer has the headers of a download, and names the conversion', async (t) => {
  const me = guest('headers')
  const { status, headers, body } = await send(filled({ toFormat: 'bust', fileName: 'story.stub' }), me)
  t.equal(status, 200)
  const [{ id, outputSize }] = await list(me)
  t.equal(body.length, outputSize)
  t.match(Object.fromEntries(headers), {
    location: `/api/conversions/${id}`,
    'content-type': 'text/x-bust',
    'content-disposition': /filename="?story\.bust/,
    'content-length': `${outputSize}`,
    'content-security-policy': /sandbox/,
    'x-content-type-options': 'nosniff',
    etag: /^".+"$/,
  })
  const record = await get(service, `/api/conversions/${id}`, me)
  const again = await get(service, pathOf(record.json.conversion.outputUrl))
  t.strictSame([again.body, again.headers.get('etag')], [body, headers.get('etag')], 'and is kept as any result')
})

t.test('a client that accepts JSON only gets the record', async (t) => {
  const { status, json } = await send(filled({ toFormat: 'bust' }), { accept: 'application/json' })
  t.equal(status, 200)
  t.match(json.conversion, { status: 'completed', outputUrl: /download\?token=/ })
  const any = await send(filled({ toFormat: 'bust' }), { accept: 'application/json, text/plain, */*' })
  t.match(any.headers.get('content-type'), 'text/x-bust', 'others get the bytes')
})

t.test('a conversion that is not done in time goes on', async (t) => {
  const me = guest('late')
  const body = filled({ toFormat: 'bust', options: options({ sleep: 500 }) })
  const { status, headers, json } = await send(body, me, '?wait=0')
  t.equal(status, 202)
  t.match(json.conversion.status, /queued|processing/)
  t.equal(headers.get('location'), `/api/conversions/${json.conversion.id}`)
  t.equal((await finish(service, json.conversion.id, me)).status, 'completed')
})

t.test('a file at a URL', async (t) => {
  await using origin = await startOrigin((req, res) => void res.end(req.headers['x-word'] === 'open' ? STUB : 'closed'))
  const url = `${origin.base}/remote.stub`
  const asked = { url, headers: { 'x-word': 'open' }, toFormat: 'bust', options: { sleep: 1 } }
  const { status, body, headers } = await post(service, '/api/convert', asked)
  t.equal(status, 200)
  t.match(body.toString(), /^BUST/)
  t.match(headers.get('content-disposition'), /remote\.bust/)
  const refused = await post(service, '/api/convert', { url: 'http://10.0.0.1/x', toFormat: 'bust' })
  t.match(refused, refusal(400, 'URL_NOT_ALLOWED'))
  t.match(await post(service, '/api/convert', { toFormat: 'bust' }), refusal(400, 'BAD_REQUEST', /url/))
})

t.test('refused requests leave nothing behind', async (t) => {
  const me = guest('refused')
  const before = await storedFiles(service)
  const cases: [FormData, ReturnType<typeof refusal>][] = [
    [filled({}), refusal(400, 'BAD_REQUEST', /toFormat/)],
    [filled({ toFormat: 'nosuch' }), refusal(400, 'UNSUPPORTED_FORMAT')],
    [filled({ toFormat: 'stub' }), refusal(400, 'SAME_FORMAT_NOOP')],
    [filled({ toFormat: 'bust', options: '{' }), refusal(400, 'BAD_REQUEST', 'options must be a JSON object')],
    [filled({ toFormat: 'bust', options: '{"colour":1}' }), refusal(400, 'UNKNOWN_OPTION')],
    [filled({ toFormat: 'bust', jobIntent: 'paint' }), refusal(400, 'BAD_REQUEST', /jobIntent/)],
    [filled({ toFormat: 'bust' }, ''), refusal(400, 'BAD_REQUEST', /empty/)],
    [filled({ toFormat: 'bust' }, STUB.padEnd(200_000)), refusal(413, 'FILE_TOO_LARGE')],
  ]
  for (const [body, refused] of cases) t.match(await send(body, me), refused)
  const twice = filled({ toFormat: 'bust' })
  twice.append('toFormat', 'stub')
  t.match(await send(twice, me), refusal(400, 'BAD_REQUEST', /toFormat/), 'twice')
  const text = await call(service, 'POST', '/api/convert', { body: 'x', headers: { 'content-type': 'text/plain' } })
  t.match(text, refusal(415, 'UNSUPPORTED_MEDIA_TYPE'))
  t.match(await send(filled({ toFormat: 'bust' }), me, '?wait=101'), refusal(400, 'BAD_REQUEST', /wait/))
  t.strictSame(await list(me), [])
  t.equal(await storedFiles(service), before)
})

t.test('a client that leaves cancels its conversion', async (t) => {
  const me = guest('leaver')
  const leaving = new AbortController()
  const body = filled({ toFormat: 'bust', options: options({ sleep: 60_000 }) })
  const { signal } = leaving
  const sent = call(service, 'POST', '/api/convert', { body, headers: me, signal }).catch(() => 'left')
  await until(async () => (await list(me))[0]?.status === 'processing')
  leaving.abort()
  t.equal(await sent, 'left')
  await until(async () => (await list(me))[0].status === 'failed')
  t.match((await list(me))[0].error, { code: 'CANCELLED' })
  await until(() => service.log.some(({ route, status }) => route === '/api/convert' && status === 499))
})
