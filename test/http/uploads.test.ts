import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { call, form, get, raw, refusal, STUB, serviceOf, startService, upload } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const LIMIT = 200_000
const service = await serviceOf(t, {
  change: (config) => {
    config.plans.guest.maxFileSize = LIMIT
  },
})

const incoming = () => readdir(join(service.dataDir, 'incoming'))

const BOUNDARY = 'boundary'
const part = (headers: string, body: string) => `--${BOUNDARY}\r\n${headers}\r\n\r\n${body}\r\n`
const file = (body: string, name = 'a.stub') =>
  part(`Content-Disposition: form-data; name="file"; filename="${name}"`, body)
const END = `--${BOUNDARY}--\r\n`
const TYPE = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
const head = (more: string) =>
  `POST /api/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${TYPE['content-type']}\r\nConnection: close\r\n${more}\r\n\r\n`

const sendForm = (body: string | Buffer) =>
  call(service, 'POST', '/api/uploads', { body: new Uint8Array(Buffer.from(body)), headers: TYPE })

t.test('one file is stored under its name', async (t) => {
  const reply = await upload(service, form(STUB, 'Grüße & "photo" 日本.stub'))
  t.equal(reply.status, 201)
  t.match(reply.json, {
    file: {
      originalName: 'Grüße & "photo" 日本.stub',
      size: STUB.length,
      format: 'stub',
      category: 'stub',
      mimeType: 'text/x-stub',
    },
    detection: { extension: 'stub', mimeType: 'text/x-stub', category: 'stub' },
    suggestions: ['bust'],
  })
  t.equal(reply.json.file.path, `/api/files/${encodeURIComponent(reply.json.file.fileId)}`)
  t.equal(reply.headers.get('location'), reply.json.file.path)
  t.strictSame((await get(service, reply.json.file.path)).json, { file: reply.json.file })
})

t.test('the form must have exactly one part named file', async (t) => {
  // test/hostile/wire.test.ts has damaged ones.
  const forms: Record<string, string> = {
    none: END,
    'another name': part('Content-Disposition: form-data; name="other"; filename="a.stub"', STUB) + END,
    'a field': part('Content-Disposition: form-data; name="file"', STUB) + END,
    'a field beside the file': file(STUB) + part('Content-Disposition: form-data; name="file"', 'x') + END,
    'two files': file(STUB) + file(STUB) + END,
    'a second file of another name':
      file(STUB) + part('Content-Disposition: form-data; name="b"; filename="b"', 'x') + END,
    'no file name': part('Content-Disposition: form-data; name="file"; filename=""', STUB) + END,
    'an empty file': file('') + END,
    'cut short': file(STUB),
    'a flood of parts': part('Content-Disposition: form-data; name="x"', 'x').repeat(50) + file(STUB) + END,
    'a long field': part('Content-Disposition: form-data; name="x"', 'x'.repeat(50_000)) + file(STUB) + END,
    nothing: '',
  }
  for (const [name, body] of Object.entries(forms)) {
    const reply = await sendForm(body)
    t.match(reply, refusal(400, 'BAD_REQUEST'), name)
  }
  // Fields may be there.
  t.equal((await sendForm(part('Content-Disposition: form-data; name="note"', 'x') + file(STUB) + END)).status, 201)
  t.strictSame(await incoming(), [], 'nothing is left')
  for (const type of ['multipart/form-data', 'multipart/mixed; boundary=x', 'text/plain']) {
    const { json } = await call(service, 'POST', '/api/uploads', { body: 'x', headers: { 'content-type': type } })
    t.equal(json.error.code, 'UNSUPPORTED_MEDIA_TYPE', type)
  }
})

t.test('a file may have exactly as many bytes as the limit', async (t) => {
  const sized = (size: number) => form(STUB.padEnd(size, '.'))
  t.equal((await upload(service, sized(LIMIT))).status, 201)
  const over = await upload(service, sized(LIMIT + 1))
  t.match(over, refusal(413, 'FILE_TOO_LARGE', /0\.2 MB/))
  t.strictSame(await incoming(), [])
})

t.test('an upload above the limit is answered before it ends', async (t) => {
  const long = 5_000_000
  const announced = await upload(service, form('x'.repeat(long)))
  t.match(announced, refusal(413, 'FILE_TOO_LARGE'), 'with Content-Length')

  const body = ReadableStream.from(
    (async function* () {
      yield Buffer.from(file(STUB).slice(0, -2))
      for (let sent = 0; sent < long; sent += 1e6) yield Buffer.alloc(1e6)
    })(),
  )
  const chunked = await call(service, 'POST', '/api/uploads', { body, headers: TYPE, duplex: 'half' } as RequestInit)
  t.match(chunked, refusal(413, 'FILE_TOO_LARGE'), 'without Content-Length')

  const half = `${(300_000).toString(16)}\r\n${file('x'.repeat(400_000)).slice(0, 300_000)}`
  const waiting = await raw(service.port, head('Transfer-Encoding: chunked'), half)
  t.match(waiting, refusal(413, 'FILE_TOO_LARGE'), 'of a client that stops in the middle')
  t.match(waiting.head, /connection: close/i)
  t.strictSame(await incoming(), [])
})

t.test('junk around the file counts towards the limit', async (t) => {
  const preamble = await sendForm(`${'x'.repeat(LIMIT + 100_000)}\r\n${file(STUB)}${END}`)
  t.equal(preamble.status, 413)
})

t.test('Expect: 100-continue', async (t) => {
  const small = file(STUB) + END
  const accepted = request({
    port: service.port,
    path: '/api/uploads',
    method: 'POST',
    headers: { ...TYPE, expect: '100-continue', 'content-length': small.length },
  })
  accepted.flushHeaders()
  await once(accepted, 'continue')
  accepted.end(small)
  const [response] = await once(accepted, 'response')
  t.equal(response.statusCode, 201, 'the body is asked for')
  response.resume()

  for (const [path, status] of [
    ['/api/uploads', 413],
    ['/api/nope', 404],
  ] as const) {
    const refused = await raw(
      service.port,
      head('Content-Length: 900000000\r\nExpect: 100-continue').replace('/api/uploads', path),
    )
    t.equal(refused.status, status, `${path}: refused before the body`)
    t.notMatch(refused.text, /100 Continue/)
    t.ok(refused.json.error.message)
  }
  const odd = await raw(service.port, head('Content-Length: 0\r\nExpect: something'))
  t.equal(odd.json.error.code, 'BAD_REQUEST', 'another expectation is ignored')
})

t.test('an aborted upload leaves nothing', async (t) => {
  for (const announced of ['Content-Length: 150000', 'Transfer-Encoding: chunked']) {
    const socket = connect(service.port, '127.0.0.1').on('error', () => {})
    const begun = file('x'.repeat(100_000)).slice(0, 90_000)
    const body = announced.startsWith('C') ? begun : `${begun.length.toString(16)}\r\n${begun}\r\n`
    socket.write(head(announced) + body)
    await until(async () => (await incoming()).length === 1)
    const before = service.log.length
    socket.destroy()
    await until(async () => (await incoming()).length === 0)
    await until(() => service.log.slice(before).some((line) => line.aborted === true && line.status === 499))
    // As no fault of ours.
    t.notOk(service.log.slice(before).some((line) => (line.level as number) >= 50))
  }
})

t.test('errors while a file is stored', async (t) => {
  await using full = await startService({
    change: (config) => {
      config.limits.freeDisk = Number.MAX_SAFE_INTEGER
    },
  })
  const reply = await upload(full, form('x'.repeat(5_000_000)))
  t.match(reply, refusal(503, 'STORAGE_FULL'))
  t.match(reply.headers.get('retry-after'), /^[1-9]\d*$/)
  const parts = { storage: { ok: false, detail: 'full; uploads and starts are refused' } }
  t.match(await get(full, '/readyz'), { status: 200, json: { status: 'ready', parts } }, 'it says so and stays ready')
})
