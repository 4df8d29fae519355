/** How long the service waits for slow clients, and how little it says about itself. */
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { get, raw, serviceOf } from '../harness/service.ts'

const service = await serviceOf(t, {
  change: ({ http }) => {
    http.headersTimeout = 1000
    http.bodyTimeout = 1000
    http.idleTimeout = 3000
    http.uploadPace = 1000
  },
})

/** Sends `bytes` at intervals of some milliseconds until the connection is closed; resolves to the answer. */
async function trickle(head: string, bytes: Buffer, every: number) {
  const socket = connect(service.port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk)).on('error', () => {})
  // Not with once(), which rejects when a write meets the closed end.
  const closed = new Promise((resolve) => socket.on('close', resolve))
  await once(socket, 'connect')
  socket.write(head)
  const timer = setInterval(() => socket.writable && socket.write(bytes), every)
  await closed
  clearInterval(timer)
  return answer
}

const upload1 = (length: number) =>
  `POST /api/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n` +
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.stub"\r\n\r\nSTUB\n'

t.test('slow headers, JSON bodies and uploads get 408, and the connection is closed', async (t) => {
  const attempts = [
    ['headers', 'GET /api/tools HTTP/1.1\r\nHost: localhost\r\n', 'X-A: b\r\n'],
    [
      'a JSON body',
      'POST /api/conversions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{',
      ' ',
    ],
    [
      'a chunked JSON body',
      'POST /api/conversions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      '1\r\n \r\n',
    ],
    ['an upload', upload1(1_000_000), 'x'],
  ] as const
  // In parallel, because each takes seconds.
  const ends = attempts.map(async ([name, head, bytes]) => {
    const answer = await trickle(head, Buffer.from(bytes), 100)
    t.match(answer, /^HTTP\/1\.1 408 /, name)
    t.match(answer, /"code":"REQUEST_TIMEOUT"/, name)
    t.match(answer, /connection: close/i, name)
  })
  await Promise.all(ends)
  t.strictSame(await readdir(join(service.dataDir, 'incoming')), [], 'nothing is kept')
})

t.test('a slow but steady upload is received', async (t) => {
  const file = 'x'.repeat(6000)
  const tail = '\r\n--b--\r\n'
  const begun = upload1(0)
  const length = begun.length - begun.indexOf('--b\r\n') + 5 * file.length + tail.length
  const parts = Array(5).fill([file, 400]).flat()
  const reply = await raw(service.port, upload1(length), ...parts, tail)
  t.equal(reply.status, 201)
  t.equal(reply.json.file.size, 5 + 5 * file.length)
})

t.test('an idle connection is closed', async () => {
  const socket = connect(service.port, '127.0.0.1')
  await once(socket.resume(), 'close')
})

t.test('answers do not reveal the server software', async (t) => {
  for (const path of ['/api/tools', '/api/nosuch', '/healthz', '/']) {
    const { headers } = await get(service, path)
    for (const name of ['server', 'x-powered-by', 'via']) t.equal(headers.get(name), null, `${path} ${name}`)
    t.match(headers.get('content-security-policy'), /default-src 'none'/, path)
    t.equal(headers.get('x-content-type-options'), 'nosniff')
    t.equal(headers.get('referrer-policy'), 'no-referrer')
    t.match(headers.get('strict-transport-security'), /max-age=\d{8}/)
  }
})
