/** Every field of every JSON body and every query, as the document describes them, filled with unexpected values. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { call, form, get, serviceOf, upload } from '../harness/service.ts'
import { bearer, signUp } from '../http/people.ts'
import { fault, pollution } from './answers.ts'
import { seed } from './random.ts'
import { times } from './scale.ts'

const service = await serviceOf(t, {
  change(config) {
    const lifted = { conversionsPerDay: null, bytesPerDay: null, pendingJobs: null }
    for (const plan of Object.values(config.plans)) Object.assign(plan, lifted)
  },
})

const { paths, components } = (await get(service, '/api/openapi.json')).json
const person = await signUp(service, 'business')
const { fileId } = (await upload(service, form('STUB\ntext'), person.session)).json.file

/** Replacements for examples, so that a body is checked completely and nothing leaves this machine. */
const instead: Record<string, object> = {
  '/api/conversions': { fileId, toFormat: 'bust', options: {} },
  '/api/conversions/batch': {
    files: [{ fileId, fileName: 'a.stub', fileSize: 9, fromFormat: 'stub' }],
    toFormat: 'bust',
    options: {},
  },
  '/mcp': { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'formats', arguments: { from: 'stub' } } },
  '/api/convert': { url: 'http://127.0.0.1:1/x.stub', toFormat: 'bust', options: {} },
  '/api/import/url': { url: 'http://127.0.0.1:1/x.stub', headers: { accept: '*/*' } },
  // A successful change would end the session.
  '/api/users/me/password': { currentPassword: 'is another one', password: 'staple correct horse' },
  '/api/users/me/delete': { password: 'is another one' },
  '/api/import/{provider}/connect': { url: 'http://127.0.0.1:1/', username: 'a', password: 'b' },
}
/** Hashing a password is slow, so use fewer of these. */
const slow = /password|login|register|delete/

const ajv = new Ajv2020({ strict: false, ownProperties: true, validateFormats: false })

/** JSON of every kind, with names, numbers and texts that break programs. */
const odd = [null, true, 0, -0, -1, 1.5, 1e308, 2 ** 53, '', '0', 'true', '\u0000', '../../etc/passwd', '{{7*7}}']
const texts = ["' or 1=1 --", '\r\nX-Evil: 1', '\u202e', 'x'.repeat(100_000)]
const key = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'length', 'then', '', '$ne'),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const values = [fc.constantFrom<unknown>(...odd, ...texts), fc.string({ unit: 'binary' }), fc.double({ noNaN: true })]
const anything = fc.oneof(...values, fc.anything({ key, values, maxDepth: 3, maxKeys: 4 }))

/** Returns every place in a value, as a list of keys. The whole value comes first. */
function places(value: unknown, path: string[] = []): string[][] {
  if (value === null || typeof value !== 'object') return [path]
  return [path, ...Object.entries(value).flatMap(([name, of]) => places(of, [...path, name]))]
}

function replaced(value: any, [name, ...rest]: string[], by: unknown): unknown {
  if (name === undefined) return by
  const copy = Array.isArray(value) ? [...value] : { ...value }
  copy[name] = replaced(value?.[name], rest, by)
  return copy
}

let sent = 0
let refused = 0
for (const [path, methods] of Object.entries<Record<string, any>>(paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    const content = operation.requestBody?.content?.['application/json']
    if (!content) continue
    const address = path.replace('{provider}', 'webdav').replace('{id}', 'team_x')
    t.test(`${method.toUpperCase()} ${path}`, async (t) => {
      const example = instead[path] ?? content.example
      t.ok(example, 'there is a good body to start from')
      // The document may refer to a component for the body, and always does so for its parts.
      const described = components.schemas[content.schema.$ref?.split('/').at(-1)] ?? content.schema
      const known = Object.keys(described.properties).map((name) => [name])
      const all = [...places(example), ...known.filter(([name]) => !(name! in example))]
      const valid = ajv.compile({ ...described, components })
      const run = async (place: string[], value: unknown) => {
        const body = JSON.stringify(replaced(example, place, value))
        const reply = await call(service, method.toUpperCase(), address, {
          body,
          headers: { 'content-type': 'application/json', ...bearer(person.token) },
        })
        sent++
        if (reply.status === 400) refused++
        const wrong = fault(reply)
        if (wrong) throw new Error(`${place.join('.')}: ${body.slice(0, 200)}: ${wrong}`)
        if (!valid(JSON.parse(body)) && ![400, 404, 413].includes(reply.status)) {
          throw new Error(`${place.join('.')}: ${body.slice(0, 200)}: ${reply.status} for what the document forbids`)
        }
        if (pollution().length) throw new Error(`${body.slice(0, 200)}: a prototype has ${pollution()}`)
      }
      const numRuns = slow.test(path) ? times(4, 40) : times(15, 500)
      await fc.assert(fc.asyncProperty(fc.constantFrom(...all), anything, run), { seed, numRuns })
    })
  }
}

t.test('most bodies are refused', async (t) => t.ok(refused > sent / 2, `${refused} of ${sent}`))

const numbers = fc.constantFrom('-1', '1e9', '0x10', '9'.repeat(30), 'NaN', '[]', '\0', '__proto__', 'x'.repeat(8000))
const queries = fc.oneof(fc.string({ unit: 'grapheme' }), numbers)

t.test('every query', async (t) => {
  let tried = 0
  for (const [path, methods] of Object.entries<Record<string, any>>(paths)) {
    for (const given of methods.get?.parameters ?? []) {
      const parameter = given.$ref ? components.parameters[given.$ref.split('/').at(-1)] : given
      if (parameter.in !== 'query') continue
      const address = path.replace('{provider}', 'webdav').replace('{id}', 'conv_x')
      const run = async (value: string) => {
        tried++
        const query = `${encodeURIComponent(parameter.name)}=${encodeURIComponent(value)}`
        const reply = await call(service, 'GET', `${address}?${query}`, { headers: bearer(person.token) })
        const wrong = fault(reply)
        if (wrong) throw new Error(`${address}?${query.slice(0, 200)}: ${wrong}`)
      }
      await fc.assert(fc.asyncProperty(queries, run), { seed, numRuns: times(2, 60) })
    }
  }
  t.ok(tried > 30, `${tried} queries`)
})

t.test('bodies that are large, deep or wide', async (t) => {
  const start = `{"fileId":${JSON.stringify(fileId)},"toFormat":"bust","options":`
  const deep = 50_000
  const crowd = (count: number) => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`)}}`
  const bodies: [name: string, body: string, status: number, code: string][] = [
    ['deep lists', `${start}${'['.repeat(deep)}${']'.repeat(deep)}}`, 400, 'BAD_REQUEST'],
    ['deep objects', `${start}${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}}`, 400, 'UNKNOWN_OPTION'],
    ['a crowd of options', `${start}${crowd(60_000)}}`, 400, 'UNKNOWN_OPTION'],
    ['a crowd of top-level keys', crowd(60_000), 400, 'BAD_REQUEST'],
    ['one key a crowd of times', `{${Array(50_000).fill('"fileId":1')}}`, 400, 'BAD_REQUEST'],
    ['a million keys', `${start}${crowd(1e6)}}`, 413, 'PAYLOAD_TOO_LARGE'],
    ['a number without end', `${start}{"sleep":1e999999}}`, 400, 'INVALID_OPTIONS'],
    ['a number of many digits', `${start}{"sleep":${'9'.repeat(100_000)}}}`, 400, 'INVALID_OPTIONS'],
    ['a lone surrogate', `{"fileId":"\\ud800","toFormat":"bust"}`, 404, 'NOT_FOUND'],
    ['a mark in front', `\ufeff{}`, 400, 'BAD_REQUEST'],
  ]
  for (const [name, body, status, code] of bodies) {
    const reply = await cheaply(t, 5000, name, () =>
      call(service, 'POST', '/api/conversions', {
        body,
        headers: { 'content-type': 'application/json', ...person.session },
      }),
    )
    t.match(reply, { status, json: { error: { code } } }, name)
  }
})

/** Expects that work takes the service, and this test, at most so many milliseconds of the processor. */
async function cheaply<Result>(t: Test, limit: number, name: string, work: () => Promise<Result>): Promise<Result> {
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  t.ok((user + system) / 1000 < limit, `${name}: ${(user + system) / 1000} ms of the processor`)
  return result
}

t.test('texts that make regular expressions slow', async (t) => {
  const long = 15_000
  const texts = ['a'.repeat(long), '.'.repeat(long), `${'a.'.repeat(long / 2)}!`, `${'0,'.repeat(long / 2)}x`]
  const headers =
    'x-forwarded-for forwarded x-request-id x-guest-fingerprint x-api-key cookie range host if-none-match ' +
    'if-modified-since content-type accept origin referer user-agent'
  for (const value of texts)
    for (const header of headers.split(' ')) {
      const ask = () => call(service, 'GET', '/api/formats', { headers: { [header]: value } })
      t.notOk(fault(await cheaply(t, 2000, header, ask)), header)
    }
  for (const name of [...texts, ' '.repeat(long), `${'('.repeat(200)}.stub`, `${'.stub'.repeat(800)}`]) {
    const send = () => upload(service, form('STUB\ntext', `${name}.stub`), person.session)
    t.equal((await cheaply(t, 2000, `a name like ${name.slice(0, 10)}`, send)).status, 201)
  }
})
