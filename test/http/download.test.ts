/** Downloads: headers, ranges, conditions, links; and clients that do not read, or request more than they read. */

import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import t from 'tap'
import { attachment } from '../../kernel/http/answer/disposition.ts'
import { ahead } from '../harness/clock.ts'
import { call, convert, get, refusal, serviceOf, start } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { beside } from './beside.ts'

const opened: Readable[] = []
const service = await serviceOf(t, {
  change: ({ http }) => Object.assign(http, { downloads: 2, downloadPace: 100_000, downloadGrace: 10_000 }),
  wrap: (kernel) => ({
    ...kernel,
    files: {
      ...kernel.files,
      open(...range) {
        const stream = kernel.files.open(...range)
        opened.push(stream)
        return stream
      },
    },
  }),
})
const NAME = 'Grüße "& photo\'(1).stub'
const { conversion, download } = await convert(service, { fileName: NAME })
const token = new URL(conversion.outputUrl).searchParams.get('token')!
const whole = await get(service, download)
const size = conversion.outputSize as number
// Before the first test, of which one moves the clock.
const SIZE = 8_000_000
const { download: path } = await convert(service, {}, {}, `STUB\n${'x'.repeat(SIZE - 5)}`)

t.test('the whole file, as an attachment', async (t) => {
  t.equal(whole.status, 200)
  t.equal(whole.body.toString(), 'BUST\nOnce upon a time.')
  t.equal(whole.headers.get('content-type'), 'text/x-bust')
  t.equal(whole.headers.get('content-length'), String(size))
  t.equal(whole.headers.get('x-content-type-options'), 'nosniff')
  t.match(whole.headers.get('content-security-policy'), /^sandbox/)
  t.equal(whole.headers.get('cross-origin-resource-policy'), 'same-origin')
  t.match(whole.headers.get('cache-control'), /private/)
  t.equal(whole.headers.get('accept-ranges'), 'bytes')
  const disposition = whole.headers.get('content-disposition')!
  t.match(
    disposition,
    /^attachment; filename="Gru.e _& photo'\(1\)\.bust"; filename\*=UTF-8''Gr%C3%BC%C3%9Fe%20_%26%20photo%27%281%29\.bust$/,
  )
  const head = await call(service, 'HEAD', download)
  t.equal(head.status, 200)
  t.equal(head.body.length, 0)
  for (const name of ['content-length', 'content-type', 'content-disposition', 'etag', 'last-modified']) {
    t.equal(head.headers.get(name), whole.headers.get(name), `HEAD: ${name}`)
  }
})

// test/hostile/names.test.ts has hostile ones.
t.test('names in the header', async (t) => {
  t.equal(attachment('日本.png'), "attachment; filename=__.png; filename*=UTF-8''%E6%97%A5%E6%9C%AC.png")
  t.equal(attachment('plain.png'), "attachment; filename=plain.png; filename*=UTF-8''plain.png")
})

t.test('ranges', async (t) => {
  const at = (range: string, more = {}) => get(service, download, { range, ...more })
  const parts: [string, number, number][] = [
    ['bytes=0-9', 0, 9],
    ['bytes=10-', 10, size - 1],
    ['bytes=-7', size - 7, size - 1],
    ['bytes=5-99999', 5, size - 1],
    ['bytes=-99999', 0, size - 1],
  ]
  for (const [range, first, last] of parts) {
    const reply = await at(range)
    t.equal(reply.status, 206, range)
    t.strictSame(reply.body, whole.body.subarray(first, last + 1), range)
    t.equal(reply.headers.get('content-range'), `bytes ${first}-${last}/${size}`)
    t.equal(reply.headers.get('content-length'), String(last - first + 1))
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0', `bytes=${size}-${size + 5}`]) {
    const reply = await at(range)
    t.match(reply, refusal(416, 'RANGE_NOT_SATISFIABLE'), range)
    t.equal(reply.headers.get('content-range'), `bytes */${size}`)
    t.equal(reply.headers.get('content-disposition'), null)
  }
  const flood = `bytes=${Array.from({ length: 1000 }, (_, i) => `${i}-${i}`).join()}`
  for (const range of ['lines=1-2', 'bytes=0-0,2-3', 'bytes=x-y', 'bytes', flood]) {
    const reply = await at(range)
    t.equal(reply.status, 200, range.slice(0, 20))
    t.strictSame(reply.body, whole.body)
  }
  const etag = whole.headers.get('etag')!
  const modified = whole.headers.get('last-modified')!
  for (const [condition, status] of [
    [etag, 206],
    [modified, 206],
    ['"other"', 200],
    [`W/${etag}`, 200],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 200],
  ] as const) {
    t.equal((await at('bytes=0-1', { 'if-range': condition })).status, status, `If-Range: ${condition}`)
  }
  const head = await call(service, 'HEAD', download, { headers: { range: 'bytes=0-1' } })
  t.equal(head.status, 200, 'HEAD knows no ranges')
})

t.test('conditions', async (t) => {
  const etag = whole.headers.get('etag')!
  const modified = whole.headers.get('last-modified')!
  const past = 'Thu, 01 Jan 1970 00:00:00 GMT'
  const future = 'Fri, 01 Jan 2100 00:00:00 GMT'
  t.match(etag, /^"[^"]+"$/, 'the ETag is strong')
  const cases: [Record<string, string>, number][] = [
    [{ 'if-none-match': etag }, 304],
    [{ 'if-none-match': `"a", W/${etag}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"other"' }, 200],
    [{ 'if-none-match': '"other"', 'if-modified-since': future }, 200],
    [{ 'if-modified-since': modified }, 304],
    [{ 'if-modified-since': past }, 200],
    [{ 'if-match': etag }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': `"a", ${etag}` }, 200],
    [{ 'if-match': '"other"' }, 412],
    [{ 'if-match': `W/${etag}` }, 412],
    [{ 'if-unmodified-since': past }, 412],
    [{ 'if-unmodified-since': modified }, 200],
    [{ 'if-match': etag, 'if-unmodified-since': past }, 200],
    [{ 'if-match': '"other"', 'if-none-match': etag }, 412],
    [{ 'if-none-match': etag, range: 'bytes=0-1' }, 304],
  ]
  for (const [headers, status] of cases) {
    const reply = await get(service, download, headers)
    t.equal(reply.status, status, JSON.stringify(headers))
    if (status === 304) t.equal(reply.body.length, 0)
    if (status === 304) t.equal(reply.headers.get('etag'), etag)
    if (status === 412) t.equal(reply.json.error.code, 'PRECONDITION_FAILED')
  }
})

// test/hostile/tokens.test.ts has other links, and forged ones.
t.test('a link expires', async (t) => {
  const { tokenLifetime } = service.kernel.config.downloads
  const status = async () => (await get(service, download)).status
  t.equal(await ahead(tokenLifetime - 60_000, status), 200)
  t.equal(await ahead(tokenLifetime + 1000, status), 401)
})

t.test('a file that is missing on disk', async (t) => {
  const lost = await convert(service)
  await rm(`${service.dataDir}/files/${lost.conversion.outputFileId}`)
  t.match(await get(service, lost.download), refusal(404, 'NOT_FOUND'))
})

t.test('an output that was never created has no download', async (t) => {
  const { id } = await start(service, { options: { sleep: 5000 } })
  t.equal((await get(service, `/api/files/${id}/download?token=${token}`)).status, 404)
  await call(service, 'DELETE', `/api/conversions/${id}`)
})

const openFiles = () => opened.filter(({ closed }) => !closed).length
const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

/** Opens a connection that sends this and reads nothing by itself. */
async function ask(text: string, { port } = service): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
  await once(socket, 'connect')
  socket.pause().write(text)
  return socket
}

t.test('a client that leaves does not keep the file open', async (t) => {
  const leaving = new AbortController()
  const response = await fetch(service.base + path, { signal: leaving.signal })
  await response.body!.getReader().read()
  const stream = opened.at(-1)!
  leaving.abort()
  await until(() => stream.closed)
  t.equal((await get(service, path)).body.length, SIZE, 'and the next gets all of it')
})

t.test('a client has so many downloads at the same time; others wait for a place, but not long', async (t) => {
  const readers = [await ask(request(path)), await ask(request(path))]
  await until(() => openFiles() === 2)
  const refused = await get(service, path)
  t.match(refused, refusal(429, 'RATE_LIMITED', /^At most 2 downloads at the same time/))
  t.equal(refused.headers.get('retry-after'), '5')
  t.equal((await fetch(service.base + path, { method: 'HEAD' })).status, 200, 'HEAD takes no place')
  const waiting = get(service, path)
  t.equal(openFiles(), 2, 'one that waits has opened nothing')
  readers[0]!.destroy()
  const served = await waiting
  t.match([served.status, served.body.length], [200, SIZE], 'it gets the place that becomes free')
  readers[1]!.destroy()
  await until(() => openFiles() === 0)
  const { download } = await convert(service)
  const crowd = await Promise.all(Array.from({ length: 12 }, () => get(service, download as string)))
  t.strictSame([...new Set(crowd.map(({ status }) => status))], [200], 'many short ones are all served')
})

t.test('pipelined downloads open their files one after the other', async (t) => {
  const reader = await ask(request(path).repeat(3))
  await until(() => openFiles() === 1)
  const before = opened.length
  let got = 0
  reader.on('data', (chunk) => (got += chunk.length)).resume()
  await until(() => got >= 3 * SIZE)
  t.equal(opened.length, before + 2)
  reader.destroy()

  const gone = await ask(request(path).repeat(3))
  await until(() => openFiles() === 1)
  const then = opened.length
  gone.destroy()
  await until(() => openFiles() === 0)
  t.equal(opened.length, then, 'those of a client that left are dropped')
})

t.test('a hundred requests of a connection may wait, and no more', async (t) => {
  const [some, many] = [99, 500].map((count) => request(path) + request('/healthz').repeat(count))
  const flood = await ask(many!)
  await new Promise((resolve) => flood.once('close', resolve).resume())
  t.match(
    service.log.find(({ msg }) => /pipelined/.test(String(msg))),
    { max: 100 },
  )
  const bounded = await ask(some!)
  let text = ''
  bounded.on('data', (chunk) => (text += chunk.toString('latin1'))).resume()
  await until(() => text.split('HTTP/1.1 200').length === 101)
  bounded.destroy()
  t.equal((await get(service, '/healthz')).status, 200)
})

t.test('a client that reads too slowly loses its connection, and its file is closed', async (t) => {
  const { http } = service.kernel.config
  await using strict = await beside(service, { http: { ...http, downloadPace: 1_000_000, downloadGrace: 1000 } })
  const reader = await ask(request(path), strict)
  await until(() => service.log.some(({ msg }) => msg === 'a client read too slowly: connection closed'))
  const closed = new Promise((resolve) => reader.once('close', resolve))
  let got = 0
  reader.on('data', (chunk) => (got += chunk.length)).resume()
  await closed
  t.ok(got < SIZE, `${got} bytes`)
})
