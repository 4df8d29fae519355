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
  type RawReply,
  type Reply,
  raw,
  refusal,
  type Service,
  STUB,
  start,
  startBatch,
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
const { capacity } = queue
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

/** JSON bodies of successful answers, by operation and status. */
const bodies = new Map<string, unknown[]>()

const templates = Object.entries<any>(document.paths)
  .flatMap(([path, item]) => Object.keys(operationsOf(item)).map((method) => ({ method: method.toUpperCase(), path })))
  .map(({ method, path }) => ({ method, path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }))
  // Fixed paths come before those with parameters.
  .sort((one, other) => one.path.split('{').length - other.path.split('{').length)

/** What is not as the document says. */
const faults: string[] = []
let compared = 0

/** Compares an answer with its description in the document. */
function compare(method: string, path: string, { status: code, headers, json }: Omit<Reply, 'body'>): void {
  const template = templates.find((each) => each.method === method && each.pattern.test(path))
  if (!template) return
  compared++
  const operation = `${method} ${template.path}`
  const { responses } = document.paths[template.path][method.toLowerCase()]
  const status = responses[code] ? String(code) : 'default'
  unseen.delete(`${operation} ${status}`)
  const { description, content = {}, headers: named = {} } = resolve(responses[status])
  const expect = (holds: unknown, what: string) => holds || faults.push(`${operation} ${code}: ${what}`)
  expect(headers.get('x-request-id'), 'has its id')
  for (const [name, header] of Object.entries<any>(named))
    if (code < 400 || resolve(header).required) expect(headers.get(name), `sends ${name}`)
  const type = headers.get('content-type')?.split(';')[0]
  const [media] = Object.keys(content)
  // Koa writes the name of the status into the body of a redirect.
  if (code < 400 && media !== '*/*' && code !== 302) expect(type === media, `has its media type, ${type}`)
  const schema = content['application/json']?.schema
  if (!schema) return
  const validate = validatorOf(schema)
  expect(validate(json), `${JSON.stringify(validate.errors)} ${JSON.stringify(json)}`)
  if (code < 400) {
    const key = `${operation} ${status}`
    bodies.set(key, [...(bodies.get(key) ?? []), json])
    return
  }
  const { error } = json
  expect(description.match(/[A-Z_]+/g).includes(error.code), `documents ${error.code}`)
  // Whether the header comes depends on the mode. The document must mention it.
  for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'])
    if (headers.has(name) && ['401', '429'].includes(status)) expect(named[name], name)
}

// Everything that a service answers in this file is compared.
const { fetch } = globalThis
globalThis.fetch = async (input, init) => {
  const response = await fetch(input, init)
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const { status, headers } = response
  const text = isJson ? await response.clone().text() : ''
  const json = text ? JSON.parse(text) : undefined
  compare(init?.method ?? 'GET', new URL(String(input)).pathname, { status, headers, json })
  return response
}
t.teardown(() => {
  globalThis.fetch = fetch
})

const json = (body: unknown): RequestInit => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

/** A harmless request for each operation, to cause the refusals that all of them share. */
const probes = endpoints.map(({ method, path }) => {
  const url = path.replace(':id', 'conv_none').replace(':slug', 'none').replace(':provider', 'google-drive')
  const init =
    path === '/api/uploads' ? { body: form(STUB) } : ['POST', 'PUT', 'PATCH'].includes(method) ? json({}) : {}
  return { path: path.replace(/:(\w+)/g, '{$1}'), method, url, init }
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
        const { schema, example } = content?.['application/json'] ?? {}
        if (!schema || example === undefined) continue
        const validate = validatorOf(schema)
        t.ok(validate(example), `${operationId} ${status}`, { example, errors: validate.errors })
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
    const { url } = probes[at]!
    const ask = (init: RequestInit) =>
      call(service, method, url, { ...init, headers: { ...init.headers, ...session } as Record<string, string> })
    t.match(await ask(json({ pad: 'x'.repeat(1_200_000) })), refusal(413, 'PAYLOAD_TOO_LARGE'), url)
    t.match(await ask({ body: 'a=b' }), refusal(415, 'UNSUPPORTED_MEDIA_TYPE'), url)
    t.match(await ask(json([])), refusal(400, 'BAD_REQUEST'), url)
  }
})

t.test('uploads and files', async () => {
  const bodies = [STUB, '', `STUB\n${'x'.repeat(2000)}`].map((text) => form(text))
  const sent = [...bodies, form('nothing known', 'x.xyz')].map((body) => upload(service, body))
  await Promise.all([...sent, post(service, '/api/uploads', {})])
  const removeAll = (headers = {}) => call(service, 'DELETE', '/api/files/all', { headers })
  await Promise.all([removeAll(), removeAll({ forwarded: 'proto=https' })])
  const { path } = (await upload(service)).json.file
  for (let times = 0; times < 2; times++) {
    await get(service, path)
    await call(service, 'DELETE', path)
  }
})

t.test('resumable uploads', async (t) => {
  const known = placeOf(await begin(service, STUB.length))
  await Promise.all([begin(service, 0), begin(service, 2000), begin(service, 1, { 'tus-resumable': '2' })])
  await send(service, known, 0, STUB, { 'upload-checksum': 'x' })
  await send(service, known, 0, STUB, { 'tus-resumable': '2' })
  await send(service, known, 0, STUB, { 'upload-checksum': `sha256 ${'A'.repeat(43)}=` })
  await send(service, known, 7, STUB)
  await send(service, known, 0, `${STUB}${STUB}`)
  await send(service, known, 0, STUB.slice(0, 5))
  await send(service, known, 5, STUB.slice(5))
  await send(service, '/api/uploads/tus/none', 0, STUB)
  const odd = placeOf(await begin(service, 5, {}, 'x.xyz'))
  await send(service, odd, 0, 'odd..')
  for (const path of [known, odd, '/api/uploads/tus/none']) await get(service, path)
  t.equal((await head(service, known, { 'tus-resumable': '2' })).status, 412)
  for (const version of ['2', '1.0.0', '1.0.0'])
    await call(service, 'DELETE', known, { headers: { 'tus-resumable': version } })
})

t.test('conversions', async () => {
  const { file, id } = await start(service)
  const put = (more: object) => post(service, '/api/conversions', { fileId: file.fileId, toFormat: 'bust', ...more })
  const bust = (await upload(service, form('BUST\n'))).json.file.fileId
  const refused = [
    ...[7, 'stub', 'nosuch', undefined].map((toFormat) => put({ toFormat })),
    ...[{ nosuch: 1 }, { colour: 1 }, { quality: 1 }, { sleep: -1 }].map((options) => put({ options })),
    ...[{ fileId: 'uploads/none' }, { fileId: bust, toFormat: 'stub' }, { fileSize: 5000 }].map(put),
  ]
  await Promise.all(refused)
  await get(service, `/api/conversions/${id}?wait=30`)
  await get(service, `/api/conversions/${id}?wait=31`)
  const { conversion } = await convert(service, { options: { fail: 'refuse' } })
  await get(service, `/api/conversions/${conversion.id}`)
  await get(service, '/api/conversions')
  await get(service, '/api/conversions?limit=0')
  for (const each of [id, 'none']) {
    await get(service, `/api/conversions/${each}/events`)
    await get(service, `/api/events?conversion=${each}`)
  }
  await get(service, '/api/events?batch=')
  for (const each of [id, 'conv_none'])
    for (const part of ['source', 'report']) await get(service, `/api/conversions/${each}/${part}`)
  await call(service, 'DELETE', `/api/conversions/${id}`)
  await call(service, 'DELETE', `/api/conversions/${id}`)
  await get(service, `/api/conversions/${id}`)
})

t.test('the one call', async () => {
  const send = (fields: Record<string, string>, query = '', headers = {}, bytes = STUB) => {
    const body = form(bytes)
    for (const [name, value] of Object.entries({ toFormat: 'bust', ...fields })) body.append(name, value)
    return call(service, 'POST', `/api/convert${query}`, { body, headers })
  }
  const options = (value: object) => ({ options: JSON.stringify(value) })
  const ada = await signUp(service)
  await Promise.all([
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
  ])
  const leaver = { 'x-guest-fingerprint': 'leaver' }
  const cancelled = send(options({ sleep: 60_000 }), '', leaver)
  const own = async () => (await get(service, '/api/conversions', leaver)).json.conversions
  await until(async () => (await own()).length === 1)
  await call(service, 'DELETE', `/api/conversions/${(await own())[0].id}`, { headers: leaver })
  await cancelled
  // A guest has one heavy conversion at a time.
  await start(service, { options: { heavy: true, sleep: 60_000 } })
  await send(options({ heavy: true }), '?wait=0')
  plans.guest.maxResultSize = 60
  await send({}, '', {}, STUB.padEnd(100))
  plans.guest.maxResultSize = null
  const { light } = timeouts
  timeouts.light = 500
  await send(options({ sleep: 60_000 }))
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
  const operations: [id: string, send: (name: string, changed: boolean) => Promise<Reply>][] = [
    ['convertFile', sendForm('/api/convert')],
    ['uploadFile', sendForm('/api/uploads')],
    ['importFromUrl', sendJson('/api/import/url', { url: `${origin.base}/a.stub` })],
    ['importFromProvider', sendJson('/api/import/google-drive', { ref: 'note' })],
    ['startConversion', sendJson('/api/conversions', { fileId: own, toFormat: 'bust' })],
    ['startBatch', sendJson('/api/conversions/batch', { files: [{ ...item, fileId: own }], toFormat: 'bust' })],
  ]
  const keyed = endpoints.filter(({ idempotent }) => idempotent).map(({ id }) => id)
  t.strictSame(operations.map(([id]) => id).sort(), keyed.sort(), 'every operation that takes one')
  const { owner } = (await kernel.files.lookUp(own))!
  for (const [id, send] of operations) {
    const held = await kernel.idempotency.begin({ id: owner } as Owner, id, 'held')
    const replies = [await send('held', false), await send('sent', false), await send('sent', true)]
    t.match(replies, [{ status: 409 }, { status: /^20[01]$/ }, { status: 422 }], id)
    await held.end()
  }
})

t.test('webhooks', async () => {
  const ada = await signUp(service)
  const create = (body: object) => post(service, '/api/webhooks', body, ada.session)
  const made = await create({ url: `${origin.base}/hook` })
  await Promise.all([made, create({ url: 'http://10.0.0.1/' })])
  const { id } = made.json.webhook
  for (const team of [{}, { 'x-team-id': 'none' }] as Record<string, string>[]) {
    const headers = { ...ada.session, ...team }
    await get(service, '/api/webhooks', headers)
    await post(service, '/api/webhooks', { url: `${origin.base}/hook` }, headers)
  }
  for (const path of [`/api/webhooks/${id}`, '/api/webhooks/none']) {
    await get(service, path, ada.session)
    const change = (body: object) => patch(service, path, body, ada.session)
    await Promise.all([{ events: ['batch.completed'] }, { url: 'http://10.0.0.1/' }].map(change))
    await post(service, `${path}/rotate`, {}, ada.session)
    await post(service, `${path}/test`, {}, ada.session)
    for (const query of ['', '?limit=0']) await get(service, `${path}/deliveries${query}`, ada.session)
  }
  for (let times = 0; times < 2; times++) await call(service, 'DELETE', `/api/webhooks/${id}`, { headers: ada.session })
  for (let n = 0; n < 10; n++) await create({ url: 'https://example.org' })
  await create({ url: 'https://example.org' })
})

t.test('batches', async () => {
  const { file } = (await upload(service)).json
  const item = { fileId: file.fileId, fileName: 'a.stub', fileSize: file.size, fromFormat: 'stub' }
  const send = (more: object = {}) =>
    post(service, '/api/conversions/batch', { files: [item, { ...item, fileId: 'none' }], toFormat: 'bust', ...more })
  const sent = await send()
  const lists = [[], [item, item, item], [{ ...item, fileId: 'none' }], [{ ...item, fileSize: 5000 }]]
  const refused = [
    ...lists.map((files) => send({ files })),
    ...['nosuch', 'stub'].map((toFormat) => send({ toFormat })),
    ...[{ nosuch: 1 }, { sleep: -1 }].map((options) => send({ options })),
  ]
  await Promise.all(refused)
  await get(service, `/api/conversions/batch/${sent.json.batchId}`)
  await get(service, '/api/conversions/batch/none')
  for (const { conversionId } of sent.json.conversions)
    if (conversionId) await get(service, `/api/conversions/${conversionId}?wait=30`)
  const ended = await get(service, `/api/conversions/batch/${sent.json.batchId}`)
  const zip = ended.json.batch.outputUrl
  await get(service, pathOf(zip))
  await get(service, pathOf(zip).replace('token=', 'token=no'))
  const ada = await signUp(service)
  await get(service, pathOf(zip), ada.session)
  const chosen = ended.json.batch.conversions[0].id
  for (const conversionIds of [[chosen, 'none'], ['none'], []])
    await post(service, '/api/conversions/zip', { conversionIds })
})

t.test('downloads', async () => {
  const { conversion, download } = await convert(service)
  const ranges = ['bytes=0-1', 'bytes=999-'].map((range) => ({ range }))
  const conditions: Record<string, string>[] = [{}, ...ranges, { 'if-none-match': '*' }, { 'if-match': '"x"' }]
  await Promise.all(conditions.map((headers) => get(service, download, headers)))
  await get(service, `/api/files/${conversion.id}/download`)
  const linkTo = async () => 'https://files.example/a'
  await using redirecting = await beside(service, {}, { files: { ...kernel.files, linkTo } })
  await get(redirecting, download)
  await call(service, 'DELETE', `/api/conversions/${conversion.id}`)
  await get(service, download)
})

t.test('catalogue and operating endpoints', async () => {
  for (const query of ['', '?category=nosuch']) await get(service, `/api/tools${query}`)
  for (const slug of ['stub-to-bust', 'nosuch']) await get(service, `/api/tools/${slug}`)
  for (const path of ['/api/formats', '/api/openapi.json', '/healthz', '/readyz', '/metrics']) await get(service, path)
})

t.test('agents', async () => {
  const accept = { accept: 'application/json, text/event-stream' }
  const message = (method: string, params = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
  const ada = await signUp(service)
  const tell = (body: unknown, headers = {}) => post(service, '/mcp', body, { ...accept, ...headers })
  await Promise.all([
    tell(message('tools/list')),
    tell({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    tell([]),
    tell({ pad: 'x'.repeat(1_200_000) }),
    tell(message('tools/list'), { 'x-team-id': 'none', ...ada.session }),
  ])
  const asked = await tell(message('tools/call', { name: 'upload', arguments: { fileName: 'a.stub' } }))
  const { uploadUrl } = JSON.parse(asked.json.result.content[0].text)
  const put = (body: string, path = pathOf(uploadUrl)) => call(service, 'PUT', path, { body })
  for (const body of ['nothing known', 'x'.repeat(2000), '', STUB, STUB]) await put(body)
  await put(STUB, '/api/uploads/handle?token=x&token=y')
})

t.test('imports', async () => {
  const url = (path: string) => ({ url: origin.base + path })
  const urls = [url('/a.stub'), url('/missing'), url('/odd'), { url: 'http://127.0.0.2/' }]
  const imported = urls.map((body) => post(service, '/api/import/url', body))
  await Promise.all(imported)

  const ada = await visit(service, 'google-drive')
  const key = { endpoint: origin.base, region: 'x', bucket: 'files', accessKeyId: 'a', secretAccessKey: 'b' }
  const callback = '/api/import/google-drive/callback'
  await get(service, '/api/import/providers')
  await ada.list()
  const connect = (body: object) => post(service, '/api/import/s3/connect', body, ada.session)
  const elsewhere = ['http://127.0.0.2', 'http://127.0.0.1:1024'].map((endpoint) => ({ ...key, endpoint }))
  await Promise.all([
    ...[key, {}, ...elsewhere].map(connect),
    post(service, '/api/import/none/connect', {}, ada.session),
  ])
  await ada.connect(cloud)
  await get(service, callback)
  await get(service, callback.replace('google-drive', 'none'))
  const { authorizeUrl, cookie } = await ada.begin()
  const back = new URL(authorizeUrl).searchParams
  const forged = new URLSearchParams({ state: back.get('state')!, code: 'none' })
  await get(service, `${callback}?${forged}`, { cookie })
  for (const query of [{}, { folder: '' }, { cursor: 'x' }] as Record<string, string>[]) {
    await ada.list(query)
  }
  const take = (body: object) => post(service, '/api/import/google-drive', body, ada.session)
  for (const body of [{ ref: 'note' }, { ref: 'none' }, { ref: 'odd' }]) {
    await take(body)
  }
  cloud.fault = 500
  cloud.expire()
  await take({ ref: 'note' })
  cloud.fault = undefined
  await ada.disconnect()
  await ada.disconnect()

  await using full = await beside(
    service,
    {},
    { files: { ...kernel.files, stage: () => Promise.reject(storageFull()) } },
  )
  await post(full, '/api/import/url', url('/a.stub'))
})

t.test('accounts and API keys', async () => {
  const ada = await signUp(service, 'pro')
  const login = '/api/auth/login'
  const keys = '/api/api-keys'
  const register = (body: object) => post(service, '/api/auth/register', body)
  const registered = ['new@example.org', ada.email].map((email) => register({ email, password: PASSWORD }))
  await Promise.all(registered)
  const logins = [PASSWORD, 'x'].map((password) => ({ email: ada.email, password }))
  await Promise.all(logins.map((body) => post(service, login, body)))
  const reset = '/api/auth/password-reset'
  await post(service, reset, { email: 'nobody@example.org' })
  const { resets } = kernel.accounts
  resets.request(ada.email, service.base)
  await resets.close()
  const token = (service.log.find((line) => line.link)!.link as string).split('token=')[1]
  for (let times = 0; times < 2; times++) await post(service, `${reset}/confirm`, { token, password: PASSWORD })
  Object.assign(ada, await signUp(service, 'pro'))
  await get(service, '/api/auth/providers')
  const github = '/api/auth/github'
  for (const path of [github, '/api/auth/nosuch', '/api/auth/away']) await get(service, path)
  for (const path of [github, '/api/auth/nosuch']) await get(service, `${path}/callback`)
  const browser = createBrowser()
  const back = locationOf(await browser.visit(locationOf(await browser.visit(service.base + github))))
  const cookie = [...browser.cookies].map(([key, { value }]) => `${key.split(' ')[1]}=${value}`).join()
  await get(service, pathOf(back), { cookie })
  site.broken = true
  await get(service, pathOf(back), { cookie })
  const own = '/api/users/me/password'
  await post(service, own, { currentPassword: 'x', password: PASSWORD }, ada.session)
  const changed = await post(service, own, { currentPassword: PASSWORD, password: PASSWORD }, ada.session)
  ada.session = bearer(changed.json.token)
  await get(service, '/api/users/me', ada.session)
  const leaving = '/api/users/me/delete'
  const eve = await signUp(service)
  for (const body of [{ password: 'x' }, { password: PASSWORD }]) await post(service, leaving, body, eve.session)
  const kim = await signUp(service)
  await kernel.accounts.users.change(kim.id, { password_hash: null })
  await ahead(700_000, () => post(service, leaving, {}, kim.session))
  await post(service, keys, { name: 'a', expiresAt: '2100-01-01T00:00:00Z' }, ada.session)
  const { id } = await makeKey(service, ada)
  await get(service, keys, ada.session)
  const revoke = () => call(service, 'DELETE', `${keys}/${id}`, { headers: ada.session })
  await revoke()
  await revoke()
})

t.test('teams', async (t) => {
  const ada = await signUp(service)
  const bob = await signUp(service)
  const as = (role: string) => ({ members: [{ email: bob.email, role }] })
  const made = await post(service, '/api/teams', { name: 'x', ...as('member') }, ada.session)
  const path = `/api/teams/${made.json.team.id}`
  const shown = (...paths: string[]) => paths.map((each) => get(service, each, ada.session))
  await Promise.all(shown('/api/teams', '/api/teams?limit=0', path, '/api/teams/none'))
  await Promise.all([
    ...[ada, bob].map(({ session }) => patch(service, path, { name: 'y' }, session)),
    patch(service, '/api/teams/none', {}, ada.session),
  ])
  const invitations = '/api/teams/invitations'
  const listed = await get(service, invitations, bob.session)
  const [{ id }] = listed.json.invitations
  for (const answer of [200, 404]) {
    const reply = await post(service, `${invitations}/${id}/accept`, {}, bob.session)
    t.equal(reply.status, answer)
  }
  for (const role of ['none', 'member']) await patch(service, path, as(role), ada.session)
  const [second] = (await get(service, invitations, bob.session)).json.invitations
  for (const answer of [204, 404]) {
    const reply = await call(service, 'DELETE', `${invitations}/${second.id}`, { headers: bob.session })
    t.equal(reply.status, answer)
  }
  await get(service, '/api/conversions', { ...bob.session, 'x-team-id': 'none' })
  await call(service, 'DELETE', path, { headers: ada.session })
  await call(service, 'DELETE', path, { headers: ada.session })
})

/** Sends a request for another host, which fetch cannot do. */
async function named(service: Service, method: string, path: string, host: string): Promise<RawReply> {
  const lines = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
  const reply = await raw(service.port, lines)
  const fields = reply.head.split('\r\n').slice(1)
  const headers = new Headers(fields.map((line) => /^([^:]+): (.*)$/.exec(line)!.slice(1, 3) as [string, string]))
  compare(method, path, { ...reply, headers })
  return reply
}

/** Calls every operation under /api of a service that refuses all of them in the same way. */
async function askAll(t: Test, refusing: Service, code: string, headers: Record<string, string> = {}): Promise<void> {
  for (const { method, url, init } of probes.filter((probe) => probe.url.startsWith('/api'))) {
    const reply = headers.host
      ? await named(refusing, method, url, headers.host)
      : await call(refusing, method, url, { ...init, headers: { ...init.headers, ...headers } })
    t.equal(reply.json?.error?.code, code, `${method} ${url}: ${code}`)
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
  await get(production, '/metrics')
  const { rates } = kernel.config
  const at = proxied('192.0.2.1')
  await using busy = await beside(service, { ...PRODUCTION, rates: { ...rates, ceiling: 1 } })
  await get(busy, '/api/formats', at)
  await askAll(t, busy, 'RATE_LIMITED', at)
  const conversions = { perMinute: 1, perHour: 1 }
  await using brisk = await beside(service, { ...PRODUCTION, rates: { ...rates, conversions } })
  for (const status of [400, 429]) t.equal((await post(brisk, '/api/conversions', {}, at)).status, status)
})

t.test('full queues and internal errors', async (t) => {
  const { guest } = plans
  plans.guest = { ...guest, pendingJobs: 0 }
  t.match((await start(service)).started, refusal(429, 'QUEUE_FULL_USER'))
  plans.guest = { ...guest, conversionsPerDay: 0 }
  t.match((await start(service)).started, refusal(429, 'QUOTA_EXCEEDED'))
  plans.guest = guest
  queue.capacity = 0
  t.match((await start(service)).started, refusal(503, 'QUEUE_FULL_GLOBAL'))
  t.match((await startBatch(service, [{}])).started, refusal(503, 'QUEUE_FULL_GLOBAL'))
  queue.capacity = capacity

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

t.test('every answer was as the document says', async (t) => {
  t.ok(compared > 800, `${compared} answers`)
  t.strictSame(faults, [])
})

t.test('tests have caused every documented response', async (t) => {
  // These three cannot fail.
  for (const path of ['/healthz', '/readyz', '/metrics']) unseen.delete(`GET ${path} default`)
  t.strictSame([...unseen], [])
})
