/** Malformed forms and requests. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { call, get, type RawReply, raw, serviceOf } from '../harness/service.ts'
import { fault, pollution } from './answers.ts'
import { random, seed } from './random.ts'
import { times } from './scale.ts'

const service = await serviceOf(t, {
  change(config) {
    Object.assign(config.plans.guest, { conversionsPerDay: null, bytesPerDay: null, pendingJobs: null })
    Object.assign(config.http, { headersTimeout: 2000, bodyTimeout: 2000, idleTimeout: 5000 })
  },
})
const next = random(seed)
const below = (limit: number) => Math.floor(next() * limit)

const incoming = () => readdir(join(service.dataDir, 'incoming'))
const boundary = 'b0undary'
const part = (headers: string, body: string) => `--${boundary}\r\n${headers}\r\n\r\n${body}\r\n`
const file = part(
  'Content-Disposition: form-data; name="file"; filename="a.stub"\r\nContent-Type: text/plain',
  'STUB\ntext',
)
const end = `--${boundary}--\r\n`
const send = (body: Buffer | string, type = `multipart/form-data; boundary=${boundary}`) =>
  call(service, 'POST', '/api/uploads', {
    body: new Uint8Array(Buffer.from(body as string)),
    headers: { 'content-type': type },
  })

/** Changes, removes, doubles or inserts a few bytes. */
function mutated(bytes: Buffer): Buffer {
  let copy = Buffer.from(bytes)
  for (let change = 0; change <= below(4); change++) {
    const at = below(copy.length)
    const length = 1 + below(12)
    const before = copy.subarray(0, at)
    const after = copy.subarray(at)
    const kind = below(5)
    if (kind === 0) copy = Buffer.concat([before, Buffer.from([below(256)]), after.subarray(1)])
    else if (kind === 1) copy = Buffer.concat([before, after.subarray(length)])
    else if (kind === 2) copy = Buffer.concat([before, after.subarray(0, length), after])
    else if (kind === 3) copy = Buffer.concat([before, Buffer.from('\r\n--"\0;=: '.slice(below(10))), after])
    else copy = before.length > 20 ? Buffer.from(before) : copy
  }
  return copy
}

t.test('randomly damaged and truncated forms', async (t) => {
  const field = part('Content-Disposition: form-data; name="__proto__"', '{"polluted":true}')
  const whole = Buffer.from(field + file + end)
  const seen = new Map<number, number>()
  const cuts = Array.from({ length: 10 }, (_, tenth) => whole.subarray(0, Math.floor((whole.length * tenth) / 10)))
  for (const bytes of [...cuts, ...Array.from({ length: times(60, 2000) }, () => mutated(whole))]) {
    const reply = await send(bytes)
    seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1)
    const wrong = ![201, 400].includes(reply.status) ? `status ${reply.status}` : fault(reply)
    if (wrong) t.fail(`${wrong}: ${JSON.stringify(bytes.toString('latin1'))}`)
  }
  for (const cut of cuts) t.equal((await send(cut)).status, 400)
  t.ok(seen.get(201) && seen.get(400), [...seen].map(([status, count]) => `${count} × ${status}`).join(', '))
  t.same(pollution(), [])
  t.same(await incoming(), [])
})

t.test('forms of many kinds', async (t) => {
  const line = (name: string, value = 'x') => part(`Content-Disposition: form-data; name="${name}"`, value)
  const cases: [name: string, body: string, status: number, type?: string][] = [
    ['a hundred thousand fields', line('a').repeat(100_000) + file + end, 400],
    ['a crowd of files', file.repeat(10_000) + end, 400],
    ['a field nested 10,000 deep', line(`a${'[b]'.repeat(10_000)}`) + file + end, 400],
    [
      'names of prototypes',
      line('__proto__[polluted]', '1') + line('constructor[prototype][polluted]', '1') + file + end,
      201,
    ],
    ['a part with a crowd of headers', `--${boundary}\r\n${'a: b\r\n'.repeat(50_000)}\r\nSTUB\r\n${end}`, 400],
    ['a part header of a megabyte', `--${boundary}\r\nX: ${'a'.repeat(1e6)}\r\n\r\nSTUB\r\n${end}`, 400],
    ['a boundary that never comes', 'x'.repeat(1e6), 400],
    ['no line end at the end', (file + end).trimEnd(), 201],
    ['more behind the end', `${file + end}${'x'.repeat(10_000)}`, 201],
    ['no type', file + end, 415, 'multipart/form-data'],
    ['an empty boundary', file + end, 400, 'multipart/form-data; boundary='],
    ['two boundaries', file + end, 201, `multipart/form-data; boundary=${boundary}; boundary=x`],
    [
      'compressed parts',
      part(
        'Content-Disposition: form-data; name="file"; filename="a.stub"\r\nContent-Transfer-Encoding: base64',
        'U1RVQg==',
      ) + end,
      400,
    ],
  ]
  for (const [name, body, status, type] of cases) {
    const reply = await send(body, type)
    t.equal(reply.status, status, `${name} ${reply.body.toString().slice(0, 80)}`)
    t.notOk(fault(reply), name)
  }
  t.same(pollution(), [])
  t.same(await incoming(), [])
})

t.test('randomly damaged headers', async (t) => {
  const wholes = [
    'GET /api/formats HTTP/1.1\r\nHost: localhost\r\nX-Guest-Fingerprint: a\r\nX-Request-Id: abc\r\nConnection: close\r\n\r\n',
    'POST /api/conversions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    'POST /api/conversions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  ].map((text) => Buffer.from(text))
  const replies: { bytes: Buffer; reply: RawReply }[] = []
  const all = Array.from({ length: times(50, 1000) }, () => mutated(wholes[below(3)]!))
  for (let at = 0; at < all.length; at += 50) {
    // The service waits for the rest of incomplete requests and then refuses them. So send many at the same time.
    const some = all.slice(at, at + 50)
    replies.push(...(await Promise.all(some.map(async (bytes) => ({ bytes, reply: await raw(service.port, bytes) })))))
  }
  for (const { bytes, reply } of replies) {
    const shown = JSON.stringify(bytes.toString('latin1'))
    // A connection without a request is closed without an answer.
    if (!reply.status) continue
    if (reply.status >= 500) t.fail(`${reply.status}: ${shown}`)
    if (reply.status >= 400 && !reply.json?.error?.code && !/^(HEAD|[A-Z]*HEAD) /.test(bytes.toString('latin1'))) {
      t.fail(`${reply.status} without its reason: ${shown} ${reply.text.slice(0, 200)}`)
    }
  }
  const answered = replies.filter(({ reply }) => reply.status > 0).length
  t.ok(answered > replies.length / 2, `${answered} of ${replies.length} were answered`)
  t.equal((await get(service, '/healthz')).status, 200)
})

t.test('a smuggled request is not executed', async (t) => {
  const inner = 'GET /api/users/me HTTP/1.1\r\nHost: localhost\r\n\r\n'
  for (const [name, framing] of Object.entries({
    'both framings': `Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    'two lengths': `Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    'a length with a sign': `Content-Length: +0\r\n\r\n${inner}`,
    'an encoding with a space': `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${inner}`,
    'an encoding that is none': `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`,
    'a chunk size that is none': `Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n${inner}`,
    'a chunk with a bare line end': `Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n${inner}`,
    'a header that goes on in the next line': `X: a\r\n Content-Length: 5\r\n Transfer-Encoding: chunked\r\n\r\n`,
  })) {
    const reply = await raw(service.port, `POST /api/nope HTTP/1.1\r\nHost: localhost\r\n${framing}`, 200)
    t.equal([...reply.text.matchAll(/HTTP\/1\.1 \d/g)].length, 1, name)
    t.notMatch(reply.text, /sign-in/, name)
  }
})
