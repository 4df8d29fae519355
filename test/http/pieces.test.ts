/** Bodies and heads in absurdly small pieces, and JSON bodies that fill the memory. */
import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { get, raw, refusal, serviceOf } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { begin, placeOf } from './tus.ts'

const service = await serviceOf(t)

const head = (first: string, ...lines: string[]) =>
  `${[`${first} HTTP/1.1`, 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`
const CHUNKED = 'Transfer-Encoding: chunked'
const JSON_TYPE = 'Content-Type: application/json'
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const inPieces = (text: string, size: number) =>
  `${Array.from({ length: Math.ceil(text.length / size) }, (_, n) => chunk(text.slice(n * size, (n + 1) * size))).join('')}0\r\n\r\n`
const FILE = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.stub"\r\n\r\nSTUB\n'

/** Small pieces of a body that does not end. */
const CRUMBS = chunk('x').repeat(2000)

t.test('a body in absurdly small pieces is refused on every way in, long before its end', async (t) => {
  const place = placeOf(await begin(service, 1_000_000))
  const tus = ['Tus-Resumable: 1.0.0', 'Upload-Offset: 0', 'Content-Type: application/offset+octet-stream']
  const ways = {
    JSON: head('POST /api/auth/login', JSON_TYPE, CHUNKED),
    form: head('POST /api/uploads', 'Content-Type: multipart/form-data; boundary=b', CHUNKED) + chunk(FILE),
    tus: head(`PATCH ${place}`, ...tus, CHUNKED),
    'with extensions': head('POST /api/auth/login', JSON_TYPE, CHUNKED) + '1;a=b\r\nx\r\n'.repeat(2000),
    'nobody reads it': head('POST /api/nosuch', CHUNKED),
  }
  for (const [name, start] of Object.entries(ways)) {
    const reply = await raw(service.port, start + CRUMBS)
    t.match(reply, refusal(400, 'BAD_REQUEST', /pieces of at least 32 bytes/), name)
    t.match(reply.head, /connection: close/i, name)
  }
})

t.test('small pieces behind an answer end the connection', async () => {
  const socket = connect(service.port, '127.0.0.1').on('error', () => {})
  socket.write(head('GET /healthz', CHUNKED) + chunk('x'))
  await once(socket, 'data')
  socket.write(CRUMBS)
  await once(socket.resume(), 'close')
})

t.test('a body may have a thousand pieces of any size, and any number of short lines', async (t) => {
  const text = JSON.stringify({ fileId: 'x'.repeat(900), toFormat: 'bust' })
  const start = head('POST /api/conversions', JSON_TYPE, CHUNKED)
  t.match(await raw(service.port, start + inPieces(text, 1)), { status: 404 })
  t.match(await raw(service.port, start + inPieces(text + ' '.repeat(200_000), 33)), { status: 404 })
  const form = head('POST /api/uploads', 'Content-Type: multipart/form-data; boundary=b', CHUNKED)
  const lines = `${FILE}${'one line of text, as people write them\n'.repeat(5000)}\r\n--b--\r\n`
  t.match(await raw(service.port, form + inPieces(lines, 38)), { status: 201, json: { file: { size: 5 + 39 * 5000 } } })
})

t.test('a head and a trailer have at most 100 lines', async (t) => {
  const tooMany = refusal(431, 'REQUEST_HEADER_FIELDS_TOO_LARGE', /at most 100 header lines/)
  const lines = (count: number) => Array(count).fill('a:b')
  t.match(await raw(service.port, head('GET /healthz', ...lines(99))), { status: 200 })
  const refused = await raw(service.port, head('GET /healthz', ...lines(100)) + head('GET /healthz'))
  t.match(refused, tooMany)
  t.equal(refused.text.split('HTTP/1.1').length, 2, 'what follows is not answered')
  const trailer = (count: number) =>
    `${head('POST /api/conversions', JSON_TYPE, CHUNKED)}${chunk('{}')}0\r\n${lines(count).join('\r\n')}\r\n\r\n`
  t.match(await raw(service.port, trailer(100)), refusal(400, 'BAD_REQUEST', /fileId/))
  t.match(await raw(service.port, trailer(101)), tooMany)
})

t.test('JSON bodies that arrive at the same time hold 32 MiB; beyond, the largest is refused', async (t) => {
  const size = 1024 * 1024
  const start = head('POST /api/auth/login', JSON_TYPE, `Content-Length: ${size}`)
  const sockets = Array.from({ length: 34 }, () => connect(service.port, '127.0.0.1').on('error', () => {}))
  const answers: string[] = []
  for (const socket of sockets) socket.once('data', (data) => answers.push(String(data)))
  // All but the last byte.
  const max = Buffer.alloc(size - 1, ' ')
  for (const socket of sockets) {
    socket.write(start)
    socket.write(max)
  }
  await until(() => answers.length >= 2)
  for (const answer of answers) {
    t.match(answer, /^HTTP\/1\.1 503 /)
    t.match(answer, /retry-after: 1\r\n/i)
    t.match(answer, /"code":"NOT_READY"/)
  }
  const short = head('POST /api/auth/login', JSON_TYPE, 'Content-Length: 2')
  t.match(await raw(service.port, `${short}{}`), refusal(400, 'BAD_REQUEST'), 'a short body still arrives')
  for (const socket of sockets) socket.destroy()
  t.equal((await get(service, '/healthz')).status, 200)
})
