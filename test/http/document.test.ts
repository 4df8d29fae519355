import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import t, { type Test } from 'tap'
import { storageFull } from '../../kernel/errors.ts'
import type { Endpoint } from '../../kernel/http/endpoint.ts'
import { jsonBodyOf } from '../../kernel/http/operation.ts'
import type { RateFamily } from '../../kernel/http/rates/families.ts'
import type { ObjectSchema } from '../../kernel/http/request/schema.ts'
import { createCheck } from '../../kernel/http/request/validation.ts'
import { resources } from '../../kernel/http/resources/index.ts'
import type { Owner } from '../../kernel/people/owner.ts'
import { ahead } from '../harness/clock.ts'
import { createBrowser } from '../harness/cookies.ts'
import { reply as answer, offering, startCloud } from '../harness/servers/cloud.ts'
import { startGitHubSite } from '../harness/servers/github.ts'
import { CLIENT } from '../harness/servers/openid.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import {
  call,
  convert,
  form,
  get,
  patch,
  pathOf,
  post,
  type Reply,
  raw,
  refusal,
  type Service,
  STUB,
  start,
  startService,
  upload,
} from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { visit } from '../imports/people.ts'
import { beside, PRODUCTION, proxied } from './beside.ts'
import { bearer, makeKey, PASSWORD, signUp } from './people.ts'
import { neverSent, neverShown } from './shapes.ts'
import { begin, head, placeOf, send } from './tus.ts'

const endpoints = resources.flatMap((resource) => resource.endpoints).filter((each) => !each.undocumented)
const origin = await startOrigin((req, res) => {
  if (req.url!.includes('missing')) res.statusCode = 404
  res.end(req.url!.includes('list-type') ? '<ListBucketResult/>' : req.url!.includes('odd') ? 'nothing known' : STUB)
})
const cloud = await startCloud('https://www.googleapis.com/auth/drive.readonly', ({ url }, res) => {
  if (url.pathname.endsWith('/none')) return answer(res, {}, 404)
  if (url.searchParams.get('pageToken')) return answer(res, {}, 500)
  if (url.pathname.endsWith('/files')) {
    return answer(res, { files: [{ id: 'note', name: 'note.stub', mimeType: 'text/plain', size: '18' }] })
  }
  if (url.searchParams.get('alt')) return void res.end(url.pathname.endsWith('/huge') ? 'x'.repeat(2000) : STUB)
  answer(res, {
    id: 'note',
    name: 'note.stub',
    mimeType: url.pathname.endsWith('/odd') ? 'application/vnd.google-apps.form' : '',
  })
})
const site = await startGitHubSite()
site.user.emails = [{ email: 'octo@example.org', primary: true, verified: true, visibility: null }]
const locationOf = (answer: Response) => answer.headers.get('location')!
const service = await startService({
  change: (config) => {
    config.imports.allowNetworks = ['127.0.0.1']
    config.webhooks.allowNetworks = ['127.0.0.1']
    config.imports.providers = offering({ 'google-drive': cloud.app, s3: true })
    config.accounts.providers = {
      github: { issuer: site.site, ...CLIENT },
      away: { issuer: 'http://127.0.0.1:9', ...CLIENT },
    }
    config.tools.disabled = ['bust-to-stub']
    Object.assign(config.plans.guest, { maxFileSize: 1000, pendingJobs: null, conversionsPerDay: null })
  },
})
const { kernel } = service
const { plans, queue, timeouts } = kernel.config
t.teardown(() => Promise.all([service, origin, cloud, site].map((part) => part[Symbol.asyncDispose]())))
const document = (await get(service, '/api/openapi.json')).json
const uri = (text: string) => URL.canParse(text)
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const ajv = new Ajv2020({ strict: false, formats: { uri, 'date-time': time, email: /@/ } })
/** Resolves a reference of the document; returns anything else unchanged. */
const resolve = (value: any): any =>
  value?.$ref
    ? (value.$ref as string)
        .split('/')
        .slice(1)
        .reduce((at, name) => at[name], document)
    : value
/** Clients must ignore fields that later versions add. Here, a field that is not described is a mistake. */
const closed = (schema: any): any => {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(closed)
  if (schema.allOf) return closed(joined(schema.allOf.map(resolve)))
  const parts = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return parts.type === 'object' && parts.properties ? { additionalProperties: false, ...parts } : parts
}
/** One schema for an object that is described in parts. */
const joined = (parts: any[]) => ({
  type: 'object',
  required: parts.flatMap(({ required }) => required),
  properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
})
const components = closed(document.components)
const validators = new Map<string, ValidateFunction>()
/** Returns the check of a schema, which can refer to components. */
function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema)
  const validate = validators.get(text) ?? ajv.compile({ ...closed(schema), components })
  validators.set(text, validate)
  return validate
}

/** The operations of a path, without the parameters that they share. */
const operationsOf = ({ parameters: _, ...operations }: any) => operations

/** Documented responses that no test has caused yet. */
const unseen = new Set<string>()
for (const [path, item] of Object.entries<any>(document.paths)) {
  for (const [method, operation] of Object.entries<any>(operationsOf(item))) {
    for (const status of Object.keys(operation.responses)) unseen.add(`${method.toUpperCase()} ${path} ${status}`)
  }
}

/** Every documented response. */
const responses = () =>
  Object.values<any>(document.paths)
    .flatMap((item) => Object.values<any>(operationsOf(item)))
    .flatMap((operation) => Object.values<any>(operation.responses).map(resolve))

/** Sent messages with their codes, without numbers and names of formats, tools and plans. */
const sent = new Set<string>()
const shapeOf = (message: string) =>
  message
    .replace(/\d+(\.\d+)?/g, '0')
    .replace('The stub is locked', 'The file asks for a password')
    .replace(/a valid \w+ file/, 'a valid X file')
    .replace(/options\.\w+ applies to .* targets, not to \w+, .*/, 'options.x applies to y')

/** JSON bodies of successful answers, by operation and status. */
const bodies = new Map<string, unknown[]>()

/** Compares an answer with its description in the document. */
function fits(t: Test, operation: string, reply: Reply): void {
  const [method, path] = operation.split(' ') as [string, string]
  const { responses } = document.paths[path][method.toLowerCase()]
  const described = (status: string) => resolve(responses[status])
  const status = responses[reply.status] ? String(reply.status) : 'default'
  unseen.delete(`${operation} ${status}`)
  t.ok(reply.headers.get('x-request-id'), `${operation} ${reply.status} has its id`)
  for (const [name, header] of Object.entries<any>(described(status).headers ?? {})) {
    if (resolve(header).required) t.ok(reply.headers.get(name), `${operation} ${reply.status} ${name}`)
  }
  if (reply.status < 400) {
    for (const name of Object.keys(described(status).headers ?? {}))
      t.ok(reply.headers.get(name), `${operation} ${reply.status} sends ${name}`)
    const media = Object.keys(described(status).content ?? {})
    const type = reply.headers.get('content-type')?.split(';')[0]
    // Koa writes the name of the status into the body of a redirect.
    if (media[0] !== '*/*' && reply.status !== 302)
      t.strictSame(type ? [type] : [], media, `${operation} ${reply.status} has its media type`)
  }
  const schema = described(status).content?.['application/json']?.schema
  if (!schema) return
  const validate = validatorOf(schema)
  const valid = validate(reply.json)
  t.ok(valid, `${operation} ${reply.status} ${reply.json?.error?.code ?? ''}`, {
    errors: validate.errors,
    json: reply.json,
  })
  if (reply.status < 400) {
    const key = `${operation} ${status}`
    bodies.set(key, [...(bodies.get(key) ?? []), reply.json])
    return
  }
  const codes = Object.keys(described(status).content['application/json'].examples)

  t.ok(codes.includes(reply.json.error.code), `${operation} documents ${reply.json.error.code}`)
  for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']) {
    // Whether the header comes depends on the mode. The document must mention it.
    if (reply.headers.has(name) && ['401', '429'].includes(status))
      t.ok(described(status).headers[name], `${operation} ${name}`)
  }
  sent.add(`${reply.json.error.code} ${shapeOf(reply.json.error.message)}`)
}

/** Compares several answers of an operation, whose order does not matter. */
async function fit(t: Test, operation: string, ...replies: (Reply | Promise<Reply>)[]): Promise<void> {
  for (const reply of await Promise.all(replies)) fits(t, operation, reply)
}

const json = (body: unknown): RequestInit => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

/** A harmless request for each operation, to cause the refusals that all of them share. */
const probes = endpoints.map(({ method, path }) => {
  const url = path.replace(':id', 'conv_none').replace(':slug', 'none').replace(':provider', 'google-drive')
  const init =
    path === '/api/uploads' ? { body: form(STUB) } : ['POST', 'PUT', 'PATCH'].includes(method) ? json({}) : {}
  const described = path.replace(/:(\w+)/g, '{$1}')
  return { operation: `${method} ${described}`, path: described, method, url, init }
})

t.test('the document is valid OpenAPI 3.1', async (t) => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  t.ok(valid, 'valid', { errors })
})

t.test('it has exactly the declared endpoints, each with a unique id', async (t) => {
  const described = Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(operationsOf(item)).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  )
  const declared = endpoints.map(({ method, id }, at) => `${method.toLowerCase()} ${probes[at]!.path} ${id}`)
  t.strictSame(described.sort(), declared.sort())
  t.equal(new Set(endpoints.map(({ id }) => id)).size, endpoints.length)
})

t.test('its examples fit its schemas', async (t) => {
  for (const item of Object.values<any>(document.paths)) {
    for (const { operationId, responses } of Object.values<any>(operationsOf(item))) {
      for (const [status, response] of Object.entries<any>(responses)) {
        const { content } = resolve(response)
        const { schema, example, examples } = content?.['application/json'] ?? {}
        if (!schema || (!examples && example === undefined)) continue
        const validate = validatorOf(schema)
        const values = examples ? Object.values<any>(examples).map((each) => resolve(each).value) : [example]
        for (const value of values)
          t.ok(validate(value), `${operationId} ${status}`, { value, errors: validate.errors })
      }
    }
  }
})

t.test('its request schemas match what the service accepts, and so do the examples', async (t) => {
  for (const [at, { method, id, body, bodyOptional }] of endpoints.entries()) {
    const described = document.paths[probes[at]!.path][method.toLowerCase()]
    t.equal(described.requestBody !== undefined, body !== undefined, `${id} has a body`)
    if (!described.requestBody) continue
    t.equal(described.requestBody.required, !bodyOptional, `${id} needs its body`)
    const { schema, example } = Object.values<any>(described.requestBody.content)[0]
    if (!jsonBodyOf({ body } as Endpoint)) continue
    ajv.addSchema({ $id: id, components: document.components, body: schema })
    const validate = ajv.getSchema(`${id}#/body`)!
    t.ok(validate(example), `${id} accepts its example`, { example, errors: validate.errors })
    t.doesNotThrow(() => createCheck(body as ObjectSchema, 'The body')(example), `${id} does, too`)
  }
})

t.test('its references resolve, and every component is used', async (t) => {
  const referred = new Set([...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!))
  for (const path of referred) t.ok(resolve({ $ref: `#/${path}` }), path)
  const { securitySchemes, ...components } = document.components
  const all = Object.entries<any>(components).flatMap(([kind, each]) =>
    Object.keys(each).map((name) => `components/${kind}/${name}`),
  )
  // Operations name credentials in `security`.
  t.strictSame(Object.keys(securitySchemes).sort(), ['apiKey', 'session'])
  t.strictSame(
    all.filter((path) => !referred.has(path)),
    [],
  )
})

t.test('bodies that are too large, of another type, or without what is required', async (t) => {
  const { session } = await signUp(service)
  for (const [at, { method, body, bodyOptional }] of endpoints.entries()) {
    if (!jsonBodyOf({ body } as Endpoint) || bodyOptional) continue
    const { operation, url } = probes[at]!
    const ask = (init: RequestInit) =>
      call(service, method, url, { ...init, headers: { ...init.headers, ...session } as Record<string, string> })
    const large = await ask(json({ pad: 'x'.repeat(1_200_000) }))
    t.match(large, refusal(413, 'PAYLOAD_TOO_LARGE'), operation)
    const other = await ask({ body: 'a=b' })
    t.match(other, refusal(415, 'UNSUPPORTED_MEDIA_TYPE'), operation)
    for (const reply of [large, other, await ask(json([]))]) fits(t, operation, reply)
  }
})

t.test('uploads and files', async (t) => {
  const bodies = [STUB, '', `STUB\n${'x'.repeat(2000)}`].map((text) => form(text))
  const sent = [...bodies, form('nothing known', 'x.xyz')].map((body) => upload(service, body))
  await fit(t, 'POST /api/uploads', ...sent, post(service, '/api/uploads', {}))
  const removeAll = (headers = {}) => call(service, 'DELETE', '/api/files/all', { headers })
  await fit(t, 'DELETE /api/files/all', removeAll(), removeAll({ forwarded: 'proto=https' }))
  const { path } = (await upload(service)).json.file
  for (let times = 0; times < 2; times++) {
    fits(t, 'GET /api/files/{id}', await get(service, path))
    fits(t, 'DELETE /api/files/{id}', await call(service, 'DELETE', path))
  }
})

t.test('resumable uploads', async (t) => {
  const create = 'POST /api/uploads/tus'
  const one = '/api/uploads/tus/{id}'
  const begun = await begin(service, STUB.length)
  const known = placeOf(begun)
  await fit(t, create, begun, begin(service, 0), begin(service, 2000), begin(service, 1, { 'tus-resumable': '2' }))
  const more = { 'upload-checksum': `sha256 ${'A'.repeat(43)}=` }
  for (const reply of [
    await send(service, known, 0, STUB, { 'upload-checksum': 'x' }),
    await send(service, known, 0, STUB, { 'tus-resumable': '2' }),
    await send(service, known, 0, STUB, more),
    await send(service, known, 7, STUB),
    await send(service, known, 0, `${STUB}${STUB}`),
    await send(service, known, 0, STUB.slice(0, 5)),
    await send(service, known, 5, STUB.slice(5)),
    await send(service, '/api/uploads/tus/none', 0, STUB),
  ])
    fits(t, `PATCH ${one}`, reply)
  const odd = placeOf(await begin(service, 5, {}, 'x.xyz'))
  fits(t, `PATCH ${one}`, await send(service, odd, 0, 'odd..'))
  for (const path of [known, odd, '/api/uploads/tus/none']) fits(t, `GET ${one}`, await get(service, path))
  t.equal((await head(service, known, { 'tus-resumable': '2' })).status, 412)
  for (const version of ['2', '1.0.0', '1.0.0'])
    fits(t, `DELETE ${one}`, await call(service, 'DELETE', known, { headers: { 'tus-resumable': version } }))
})

t.test('conversions', async (t) => {
  const { file, started, id } = await start(service)
  fits(t, 'POST /api/conversions', started)
  const put = (more: object) => post(service, '/api/conversions', { fileId: file.fileId, toFormat: 'bust', ...more })
  const bust = (await upload(service, form('BUST\n'))).json.file.fileId
  const refused = [
    ...[7, 'stub', 'nosuch', undefined].map((toFormat) => put({ toFormat })),
    ...[{ nosuch: 1 }, { colour: 1 }, { quality: 1 }, { sleep: -1 }].map((options) => put({ options })),
    ...[{ fileId: 'uploads/none' }, { fileId: bust, toFormat: 'stub' }, { fileSize: 5000 }].map(put),
  ]
  await fit(t, 'POST /api/conversions', ...refused)
  fits(t, 'GET /api/conversions/{id}', await get(service, `/api/conversions/${id}?wait=30`))
  fits(t, 'GET /api/conversions/{id}', await get(service, `/api/conversions/${id}?wait=31`))
  const { conversion } = await convert(service, { options: { fail: 'refuse' } })
  fits(t, 'GET /api/conversions/{id}', await get(service, `/api/conversions/${conversion.id}`))
  fits(t, 'GET /api/conversions', await get(service, '/api/conversions'))
  fits(t, 'GET /api/conversions', await get(service, '/api/conversions?limit=0'))
  for (const each of [id, 'none']) {
    fits(t, 'GET /api/conversions/{id}/events', await get(service, `/api/conversions/${each}/events`))
    fits(t, 'GET /api/events', await get(service, `/api/events?conversion=${each}`))
  }
  fits(t, 'GET /api/events', await get(service, '/api/events?batch='))
  for (const each of [id, 'conv_none'])
    for (const part of ['source', 'report'])
      fits(t, `GET /api/conversions/{id}/${part}`, await get(service, `/api/conversions/${each}/${part}`))
  fits(t, 'DELETE /api/conversions/{id}', await call(service, 'DELETE', `/api/conversions/${id}`))
  fits(t, 'DELETE /api/conversions/{id}', await call(service, 'DELETE', `/api/conversions/${id}`))
  fits(t, 'GET /api/conversions/{id}', await get(service, `/api/conversions/${id}`))
})

t.test('the one call', async (t) => {
  const operation = 'POST /api/convert'
  const send = (fields: Record<string, string>, query = '', headers = {}, bytes = STUB) => {
    const body = form(bytes)
    for (const [name, value] of Object.entries({ toFormat: 'bust', ...fields })) body.append(name, value)
    return call(service, 'POST', `/api/convert${query}`, { body, headers })
  }
  const options = (value: object) => ({ options: JSON.stringify(value) })
  const ada = await signUp(service)
  await fit(
    t,
    operation,
    send({}),
    send({}, '', { accept: 'application/json' }),
    send({ toFormat: 'nosuch' }),
    send({}, '', { 'x-team-id': 'none', ...ada.session }),
    send({}, '', {}, `STUB\n${'x'.repeat(2000)}`),
    send(options({ fail: 'refuse' })),
    send(options({ fail: 'silent' })),
    send(options({ fail: 'encrypted' })),
    post(service, '/api/convert', { url: `${origin.base}/missing`, toFormat: 'bust' }),
    call(service, 'POST', '/api/convert', { body: 'a=b' }),
  )
  const leaver = { 'x-guest-fingerprint': 'leaver' }
  const cancelled = send(options({ sleep: 60_000 }), '', leaver)
  const own = async () => (await get(service, '/api/conversions', leaver)).json.conversions
  await until(async () => (await own()).length === 1)
  await call(service, 'DELETE', `/api/conversions/${(await own())[0].id}`, { headers: leaver })
  fits(t, operation, await cancelled)
  // A guest has one heavy conversion at a time.
  await start(service, { options: { heavy: true, sleep: 60_000 } })
  fits(t, operation, await send(options({ heavy: true }), '?wait=0'))
  plans.guest.maxResultSize = 60
  fits(t, operation, await send({}, '', {}, STUB.padEnd(100)))
  plans.guest.maxResultSize = null
  const { light } = timeouts
  timeouts.light = 500
  fits(t, operation, await send(options({ sleep: 60_000 })))
  timeouts.light = light
})

t.test('requests with a key', async (t) => {
  const { file } = (await upload(service)).json
  const item = { fileId: file.fileId, fileName: 'a.stub', fileSize: file.size, fromFormat: 'stub' }
  const ada = await visit(service, 'google-drive')
  await ada.connect(cloud)
  const key = (name: string) => ({ ...ada.session, 'idempotency-key': name })
  const sendJson = (path: string, body: object) => (name: string, changed: boolean) =>
    post(service, path, changed ? { ...body, changed } : body, key(name))
  const sendForm = (path: string) => (name: string, changed: boolean) => {
    const body = form(changed ? `${STUB}!` : STUB)
    body.append('toFormat', 'bust')
    return call(service, 'POST', path, { body, headers: key(name) })
  }
  const own = (await upload(service, form(STUB), ada.session)).json.file.fileId
  const operations: [string, string, (name: string, changed: boolean) => Promise<Reply>][] = [
    ['/api/convert', 'convertFile', sendForm('/api/convert')],
    ['/api/uploads', 'uploadFile', sendForm('/api/uploads')],
    ['/api/import/url', 'importFromUrl', sendJson('/api/import/url', { url: `${origin.base}/a.stub` })],
    ['/api/import/{provider}', 'importFromProvider', sendJson('/api/import/google-drive', { ref: 'note' })],
    ['/api/conversions', 'startConversion', sendJson('/api/conversions', { fileId: own, toFormat: 'bust' })],
    [
      '/api/conversions/batch',
      'startBatch',
      sendJson('/api/conversions/batch', { files: [{ ...item, fileId: own }], toFormat: 'bust' }),
    ],
  ]
  const keyed = endpoints.filter(({ idempotent }) => idempotent).map(({ id }) => id)
  t.strictSame(operations.map(([, id]) => id).sort(), keyed.sort(), 'every operation that takes one')
  const { owner } = (await kernel.files.lookUp(own))!
  for (const [path, id, send] of operations) {
    const held = await kernel.idempotency.begin({ id: owner } as Owner, id, 'held')
    for (const reply of [await send('held', false), await send('sent', false), await send('sent', true)])
      fits(t, `POST ${path}`, reply)
    await held.end()
  }
})

t.test('webhooks', async (t) => {
  const ada = await signUp(service)
  const one = '/api/webhooks/{id}'
  const create = (body: object) => post(service, '/api/webhooks', body, ada.session)
  const made = await create({ url: `${origin.base}/hook` })
  await fit(t, 'POST /api/webhooks', made, create({ url: 'http://10.0.0.1/' }))
  const { id } = made.json.webhook
  for (const team of [{}, { 'x-team-id': 'none' }] as Record<string, string>[]) {
    const headers = { ...ada.session, ...team }
    fits(t, 'GET /api/webhooks', await get(service, '/api/webhooks', headers))
    fits(t, 'POST /api/webhooks', await post(service, '/api/webhooks', { url: `${origin.base}/hook` }, headers))
  }
  for (const path of [`/api/webhooks/${id}`, '/api/webhooks/none']) {
    fits(t, `GET ${one}`, await get(service, path, ada.session))
    const change = (body: object) => patch(service, path, body, ada.session)
    await fit(t, `PATCH ${one}`, ...[{ events: ['batch.completed'] }, { url: 'http://10.0.0.1/' }].map(change))
    fits(t, `POST ${one}/rotate`, await post(service, `${path}/rotate`, {}, ada.session))
    fits(t, `POST ${one}/test`, await post(service, `${path}/test`, {}, ada.session))
    for (const query of ['', '?limit=0'])
      fits(t, `GET ${one}/deliveries`, await get(service, `${path}/deliveries${query}`, ada.session))
  }
  for (let times = 0; times < 2; times++)
    fits(t, `DELETE ${one}`, await call(service, 'DELETE', `/api/webhooks/${id}`, { headers: ada.session }))
  for (let n = 0; n < 10; n++) await create({ url: 'https://example.org' })
  fits(t, 'POST /api/webhooks', await create({ url: 'https://example.org' }))
})

t.test('batches', async (t) => {
  const { file } = (await upload(service)).json
  const item = { fileId: file.fileId, fileName: 'a.stub', fileSize: file.size, fromFormat: 'stub' }
  const send = (more: object = {}) =>
    post(service, '/api/conversions/batch', { files: [item, { ...item, fileId: 'none' }], toFormat: 'bust', ...more })
  const sent = await send()
  fits(t, 'POST /api/conversions/batch', sent)
  const lists = [[], [item, item, item], [{ ...item, fileId: 'none' }], [{ ...item, fileSize: 5000 }]]
  const refused = [
    ...lists.map((files) => send({ files })),
    ...['nosuch', 'stub'].map((toFormat) => send({ toFormat })),
    ...[{ nosuch: 1 }, { sleep: -1 }].map((options) => send({ options })),
  ]
  await fit(t, 'POST /api/conversions/batch', ...refused)
  fits(t, 'GET /api/conversions/batch/{id}', await get(service, `/api/conversions/batch/${sent.json.batchId}`))
  fits(t, 'GET /api/conversions/batch/{id}', await get(service, '/api/conversions/batch/none'))
  for (const { conversionId } of sent.json.conversions)
    if (conversionId) await get(service, `/api/conversions/${conversionId}?wait=30`)
  const ended = await get(service, `/api/conversions/batch/${sent.json.batchId}`)
  fits(t, 'GET /api/conversions/batch/{id}', ended)
  const zip = ended.json.batch.outputUrl
  fits(t, 'GET /api/conversions/batch/{id}/download', await get(service, pathOf(zip)))
  fits(t, 'GET /api/conversions/batch/{id}/download', await get(service, pathOf(zip).replace('token=', 'token=no')))
  const ada = await signUp(service)
  fits(t, 'GET /api/conversions/batch/{id}/download', await get(service, pathOf(zip), ada.session))
  const chosen = ended.json.batch.conversions[0].id
  for (const conversionIds of [[chosen, 'none'], ['none'], []])
    fits(t, 'POST /api/conversions/zip', await post(service, '/api/conversions/zip', { conversionIds }))
})

t.test('downloads', async (t) => {
  const { conversion, download } = await convert(service)
  const operation = 'GET /api/files/{id}/download'
  const ranges = ['bytes=0-1', 'bytes=999-'].map((range) => ({ range }))
  const conditions: Record<string, string>[] = [{}, ...ranges, { 'if-none-match': '*' }, { 'if-match': '"x"' }]
  await fit(t, operation, ...conditions.map((headers) => get(service, download, headers)))
  fits(t, operation, await get(service, `/api/files/${conversion.id}/download`))
  const linkTo = async () => 'https://files.example/a'
  await using redirecting = await beside(service, {}, { files: { ...kernel.files, linkTo } })
  fits(t, operation, await get(redirecting, download))
  await call(service, 'DELETE', `/api/conversions/${conversion.id}`)
  fits(t, operation, await get(service, download))
})

t.test('catalogue and operating endpoints', async (t) => {
  for (const query of ['', '?category=nosuch']) fits(t, 'GET /api/tools', await get(service, `/api/tools${query}`))
  for (const slug of ['stub-to-bust', 'nosuch'])
    fits(t, 'GET /api/tools/{slug}', await get(service, `/api/tools/${slug}`))
  for (const path of ['/api/formats', '/api/openapi.json', '/healthz', '/readyz', '/metrics'])
    fits(t, `GET ${path}`, await get(service, path))
})

t.test('agents', async (t) => {
  const accept = { accept: 'application/json, text/event-stream' }
  const message = (method: string, params = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
  const ada = await signUp(service)
  const tell = (body: unknown, headers = {}) => post(service, '/mcp', body, { ...accept, ...headers })
  await fit(
    t,
    'POST /mcp',
    tell(message('tools/list')),
    tell({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    tell([]),
    tell({ pad: 'x'.repeat(1_200_000) }),
    tell(message('tools/list'), { 'x-team-id': 'none', ...ada.session }),
  )
  const asked = await tell(message('tools/call', { name: 'upload', arguments: { fileName: 'a.stub' } }))
  const { uploadUrl } = JSON.parse(asked.json.result.content[0].text)
  const put = (body: string, path = pathOf(uploadUrl)) => call(service, 'PUT', path, { body })
  for (const body of ['nothing known', 'x'.repeat(2000), '', STUB, STUB])
    fits(t, 'PUT /api/uploads/handle', await put(body))
  fits(t, 'PUT /api/uploads/handle', await put(STUB, '/api/uploads/handle?token=x&token=y'))
})

t.test('imports', async (t) => {
  const url = (path: string) => ({ url: origin.base + path })
  const urls = [url('/a.stub'), url('/missing'), url('/odd'), { url: 'http://127.0.0.2/' }]
  const imported = urls.map((body) => post(service, '/api/import/url', body))
  await fit(t, 'POST /api/import/url', ...imported)

  const ada = await visit(service, 'google-drive')
  const key = { endpoint: origin.base, region: 'x', bucket: 'files', accessKeyId: 'a', secretAccessKey: 'b' }
  const callback = '/api/import/google-drive/callback'
  fits(t, 'GET /api/import/providers', await get(service, '/api/import/providers'))
  fits(t, 'GET /api/import/{provider}/files', await ada.list())
  const connect = (body: object) => post(service, '/api/import/s3/connect', body, ada.session)
  const elsewhere = ['http://127.0.0.2', 'http://127.0.0.1:1024'].map((endpoint) => ({ ...key, endpoint }))
  await fit(
    t,
    'POST /api/import/{provider}/connect',
    ...[key, {}, ...elsewhere].map(connect),
    post(service, '/api/import/none/connect', {}, ada.session),
  )
  fits(t, 'GET /api/import/{provider}/callback', await ada.connect(cloud))
  fits(t, 'GET /api/import/{provider}/callback', await get(service, callback))
  fits(t, 'GET /api/import/{provider}/callback', await get(service, callback.replace('google-drive', 'none')))
  const { authorizeUrl, cookie } = await ada.begin()
  const back = new URL(authorizeUrl).searchParams
  const forged = new URLSearchParams({ state: back.get('state')!, code: 'none' })
  fits(t, 'GET /api/import/{provider}/callback', await get(service, `${callback}?${forged}`, { cookie }))
  for (const query of [{}, { folder: '' }, { cursor: 'x' }] as Record<string, string>[]) {
    fits(t, 'GET /api/import/{provider}/files', await ada.list(query))
  }
  const take = (body: object) => post(service, '/api/import/google-drive', body, ada.session)
  for (const body of [{ ref: 'note' }, { ref: 'none' }, { ref: 'odd' }]) {
    fits(t, 'POST /api/import/{provider}', await take(body))
  }
  cloud.fault = 500
  cloud.expire()
  fits(t, 'POST /api/import/{provider}', await take({ ref: 'note' }))
  cloud.fault = undefined
  fits(t, 'DELETE /api/import/{provider}', await ada.disconnect())
  fits(t, 'DELETE /api/import/{provider}', await ada.disconnect())

  await using full = await beside(
    service,
    {},
    { files: { ...kernel.files, stage: () => Promise.reject(storageFull()) } },
  )
  fits(t, 'POST /api/import/url', await post(full, '/api/import/url', url('/a.stub')))
})

t.test('accounts and API keys', async (t) => {
  const ada = await signUp(service, 'pro')
  const login = '/api/auth/login'
  const keys = '/api/api-keys'
  const register = (body: object) => post(service, '/api/auth/register', body)
  const registered = ['new@example.org', ada.email].map((email) => register({ email, password: PASSWORD }))
  await fit(t, 'POST /api/auth/register', ...registered)
  const logins = [PASSWORD, 'x'].map((password) => ({ email: ada.email, password }))
  await fit(t, 'POST /api/auth/login', ...logins.map((body) => post(service, login, body)))
  const reset = '/api/auth/password-reset'
  fits(t, `POST ${reset}`, await post(service, reset, { email: 'nobody@example.org' }))
  const { resets } = kernel.accounts
  resets.request(ada.email, service.base)
  await resets.close()
  const token = (service.log.find((line) => line.link)!.link as string).split('token=')[1]
  for (let times = 0; times < 2; times++)
    fits(t, `POST ${reset}/confirm`, await post(service, `${reset}/confirm`, { token, password: PASSWORD }))
  Object.assign(ada, await signUp(service, 'pro'))
  fits(t, 'GET /api/auth/providers', await get(service, '/api/auth/providers'))
  const github = '/api/auth/github'
  const begin = 'GET /api/auth/{provider}'
  for (const path of [github, '/api/auth/nosuch', '/api/auth/away']) fits(t, begin, await get(service, path))
  const end = 'GET /api/auth/{provider}/callback'
  for (const path of [github, '/api/auth/nosuch']) fits(t, end, await get(service, `${path}/callback`))
  const browser = createBrowser()
  const back = locationOf(await browser.visit(locationOf(await browser.visit(service.base + github))))
  const cookie = [...browser.cookies].map(([key, { value }]) => `${key.split(' ')[1]}=${value}`).join()
  fits(t, end, await get(service, pathOf(back), { cookie }))
  site.broken = true
  fits(t, end, await get(service, pathOf(back), { cookie }))
  const own = '/api/users/me/password'
  fits(t, `POST ${own}`, await post(service, own, { currentPassword: 'x', password: PASSWORD }, ada.session))
  const changed = await post(service, own, { currentPassword: PASSWORD, password: PASSWORD }, ada.session)
  fits(t, `POST ${own}`, changed)
  ada.session = bearer(changed.json.token)
  fits(t, 'GET /api/users/me', await get(service, '/api/users/me', ada.session))
  const leaving = '/api/users/me/delete'
  const eve = await signUp(service)
  for (const body of [{ password: 'x' }, { password: PASSWORD }])
    fits(t, `POST ${leaving}`, await post(service, leaving, body, eve.session))
  const kim = await signUp(service)
  await kernel.accounts.users.change(kim.id, { password_hash: null })
  fits(t, `POST ${leaving}`, await ahead(700_000, () => post(service, leaving, {}, kim.session)))
  const made = await post(service, keys, { name: 'a', expiresAt: '2100-01-01T00:00:00Z' }, ada.session)
  fits(t, 'POST /api/api-keys', made)
  const { id } = await makeKey(service, ada)
  fits(t, 'GET /api/api-keys', await get(service, keys, ada.session))
  const revoke = () => call(service, 'DELETE', `${keys}/${id}`, { headers: ada.session })
  fits(t, 'DELETE /api/api-keys/{id}', await revoke())
  fits(t, 'DELETE /api/api-keys/{id}', await revoke())
})

t.test('teams', async (t) => {
  const ada = await signUp(service)
  const bob = await signUp(service)
  const as = (role: string) => ({ members: [{ email: bob.email, role }] })
  const made = await post(service, '/api/teams', { name: 'x', ...as('member') }, ada.session)
  fits(t, 'POST /api/teams', made)
  const path = `/api/teams/${made.json.team.id}`
  const shown = (...paths: string[]) => paths.map((each) => get(service, each, ada.session))
  await fit(t, 'GET /api/teams', ...shown('/api/teams', '/api/teams?limit=0'))
  await fit(t, 'GET /api/teams/{id}', ...shown(path, '/api/teams/none'))
  await fit(
    t,
    'PATCH /api/teams/{id}',
    ...[ada, bob].map(({ session }) => patch(service, path, { name: 'y' }, session)),
    patch(service, '/api/teams/none', {}, ada.session),
  )
  const invitations = '/api/teams/invitations'
  const listed = await get(service, invitations, bob.session)
  fits(t, 'GET /api/teams/invitations', listed)
  const [{ id }] = listed.json.invitations
  for (const answer of [200, 404]) {
    const reply = await post(service, `${invitations}/${id}/accept`, {}, bob.session)
    t.equal(reply.status, answer)
    fits(t, 'POST /api/teams/invitations/{id}/accept', reply)
  }
  for (const role of ['none', 'member']) await patch(service, path, as(role), ada.session)
  const [second] = (await get(service, invitations, bob.session)).json.invitations
  for (const answer of [204, 404]) {
    const reply = await call(service, 'DELETE', `${invitations}/${second.id}`, { headers: bob.session })
    t.equal(reply.status, answer)
    fits(t, 'DELETE /api/teams/invitations/{id}', reply)
  }
  fits(t, 'GET /api/conversions', await get(service, '/api/conversions', { ...bob.session, 'x-team-id': 'none' }))
  fits(t, 'DELETE /api/teams/{id}', await call(service, 'DELETE', path, { headers: ada.session }))
  fits(t, 'DELETE /api/teams/{id}', await call(service, 'DELETE', path, { headers: ada.session }))
})

async function named(service: Service, method: string, url: string, host: string): Promise<Reply> {
  const lines = `${method} ${url} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
  const { status, head, json } = await raw(service.port, lines)
  const fields = head
    .split('\r\n')
    .slice(1)
    .map((line) => /^([^:]+): (.*)$/.exec(line)!.slice(1, 3) as [string, string])
  return { status, headers: new Headers(fields), body: Buffer.alloc(0), json }
}

/** Calls every operation under /api of a service that refuses all of them in the same way. */
async function askAll(t: Test, refusing: Service, code: string, headers: Record<string, string> = {}): Promise<void> {
  for (const { operation, method, url, init } of probes.filter((probe) => probe.url.startsWith('/api'))) {
    // fetch does not send another Host.
    const reply: Reply = headers.host
      ? await named(refusing, method, url, headers.host)
      : await call(refusing, method, url, { ...init, headers: { ...init.headers, ...headers } })
    t.equal(reply.json?.error?.code, code, `${operation}: ${code}`)
    fits(t, operation, reply)
  }
}

t.test('refusals that all operations share', async (t) => {
  await askAll(t, service, 'UNAUTHORIZED', { authorization: 'Bearer none' })
  const bob = await signUp(service)
  await kernel.accounts.users.change(bob.id, { status: 'suspended' })
  await askAll(t, service, 'FORBIDDEN', bob.session)
  await askAll(t, service, 'MISDIRECTED_REQUEST', { host: 'evil.example' })
  kernel.settings.maintenance = true
  await askAll(t, service, 'MAINTENANCE_MODE')
  kernel.settings.maintenance = false
  await using production = await beside(service, PRODUCTION)
  await askAll(t, production, 'HTTPS_REQUIRED')
  fits(t, 'GET /metrics', await get(production, '/metrics'))
  const { rates } = kernel.config
  const at = proxied('192.0.2.1')
  await using busy = await beside(service, { ...PRODUCTION, rates: { ...rates, ceiling: 1 } })
  await get(busy, '/api/formats', at)
  await askAll(t, busy, 'RATE_LIMITED', at)
  const conversions = { perMinute: 1, perHour: 1 }
  await using brisk = await beside(service, { ...PRODUCTION, rates: { ...rates, conversions } })
  for (const status of [400, 429]) {
    const reply = await post(brisk, '/api/conversions', {}, at)
    t.equal(reply.status, status)
    fits(t, 'POST /api/conversions', reply)
  }
})

t.test('full queues and internal errors', async (t) => {
  const full = (operation: string, expected: object, reply: Reply) => {
    t.match(reply, expected)
    fits(t, operation, reply)
  }
  const { guest } = plans
  plans.guest = { ...guest, pendingJobs: 0 }
  full('POST /api/conversions', refusal(429, 'QUEUE_FULL_USER'), (await start(service)).started)
  plans.guest = { ...guest, conversionsPerDay: 0 }
  full('POST /api/conversions', refusal(429, 'QUOTA_EXCEEDED'), (await start(service)).started)
  plans.guest = guest
  queue.capacity = 0
  const { file, started } = await start(service)
  const files = [{ fileId: file.fileId, fileName: 'a.stub', fileSize: 1, fromFormat: 'stub' }]
  const batch = await post(service, '/api/conversions/batch', { files, toFormat: 'bust' })
  full('POST /api/conversions', refusal(503, 'QUEUE_FULL_GLOBAL'), started)
  full('POST /api/conversions/batch', refusal(503, 'QUEUE_FULL_GLOBAL'), batch)

  const settings = Object.defineProperty({}, 'maintenance', {
    get() {
      throw new Error('secret of /root/x.ts:1')
    },
  })
  const health = async () => ({
    ready: false,
    parts: { storage: { ok: false, detail: 'does not answer' }, queue: { ok: true } },
  })
  const before = service.log.length
  await using faulty = await beside(service, {}, { settings, health })
  await askAll(t, faulty, 'INTERNAL_SERVER_ERROR')
  const routes = probes.filter(({ url }) => url.startsWith('/api')).length
  // Each is logged.
  const failed = service.log.slice(before).filter(({ level, msg }) => level === 50 && msg === 'request failed')
  t.equal(failed.length, routes)
  const unready = await get(faulty, '/readyz')
  t.match(unready.json.error, { code: 'NOT_READY', message: /storage \(does not answer\)/ })
  fits(t, 'GET /readyz', unready)
})

t.test('each operation counts in the rate family that it declares', async (t) => {
  await using strict = await beside(service, PRODUCTION)
  const { rates } = kernel.config
  const limits = { ...rates, requests: { perMinute: plans.guest.requestsPerMinute }, pages: { perMinute: 300 } }
  const limitOf = (family: RateFamily | 'none') => (family === 'none' ? null : `${limits[family].perMinute}`)
  for (const [at, { rate, rateOfFurtherPages, id }] of endpoints.entries()) {
    const { method, url, init } = probes[at]!
    // Refused before a body is read, but counted by address.
    const ask = (query = '') =>
      call(strict, method, url + query, {
        ...init,
        headers: { ...init.headers, ...proxied(`192.0.2.${at}`, { authorization: 'Bearer none' }) },
      })
    t.equal((await ask()).headers.get('ratelimit-limit'), limitOf(rate), id)
    if (!rateOfFurtherPages) continue
    t.equal(
      (await ask('?cursor=x')).headers.get('ratelimit-limit'),
      limitOf(rateOfFurtherPages),
      `${id}, further pages`,
    )
  }
})

t.test('every example of a success has the shape of the sent answers', async (t) => {
  for (const [path, item] of Object.entries<any>(document.paths)) {
    for (const [method, { responses }] of Object.entries<any>(operationsOf(item))) {
      for (const [status, response] of Object.entries<any>(responses)) {
        const example = resolve(response).content?.['application/json']?.example
        if (example === undefined) continue
        const key = `${method.toUpperCase()} ${path} ${status}`
        const answers = bodies.get(key) ?? []
        t.strictSame(neverSent(example, answers), [], `${key} is sent like that`)
        t.strictSame(neverShown(example, answers), [], `${key} shows what is sent`)
      }
    }
  }
})

t.test('tests have caused every documented response', async (t) => {
  // These three cannot fail.
  for (const path of ['/healthz', '/readyz', '/metrics']) unseen.delete(`GET ${path} default`)
  t.strictSame([...unseen], [])
})

t.test('the service sends the message of every example', async (t) => {
  const shown = new Map<string, string>()
  for (const response of responses()) {
    for (const [code, example] of Object.entries<any>(response.content?.['application/json']?.examples ?? {})) {
      shown.set(code, resolve(example).value.error.message)
    }
  }
  t.ok(shown.size > 20, `${shown.size} examples`)
  for (const [code, message] of shown) {
    const found = [...sent].filter((one) => one.startsWith(`${code} `))
    t.ok(sent.has(`${code} ${shapeOf(message)}`), `${code}: ${message}`, { found })
  }
})
