/** The library against a misbehaving service: retries, waits and errors. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { AthanorError, type Connection, createClient } from '../../client/client.ts'
import { createDone } from '../../client/done.ts'
import { createPace, familyOf } from '../../client/pace.ts'
import { until } from '../harness/until.ts'

type Handle = (req: IncomingMessage, res: ServerResponse, count: number) => unknown

/** A service with prescribed answers, and a client for it. */
async function serve(t: Test, handle: Handle, more: Partial<Connection> = {}) {
  const asked: string[] = []
  const server = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`)
    req.resume().on('end', () => handle(req, res, asked.length))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/under/a/prefix`
  return { asked, url, client: createClient({ url, ...more }) }
}

function answer(res: ServerResponse, status: number, body?: object, headers: Record<string, string> = {}) {
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body && JSON.stringify(body))
}

const refusal = (code: string) => ({ error: { code, message: `${code} it is` } })

t.test('paths under a prefix, credentials, and links under the same root', async (t) => {
  const { client, asked, url } = await serve(
    t,
    (req, res) => answer(res, 200, { conversion: { key: req.headers['x-api-key'] } }),
    { headers: () => ({ 'x-api-key': 'k' }) },
  )
  t.match(await client.conversion('conv_1', { wait: 5 }), { key: 'k' })
  t.strictSame(asked, ['GET /under/a/prefix/api/conversions/conv_1?wait=5'])
  const outputUrl = 'http://elsewhere.example/api/files/conv_1/download?token=a.b'
  t.equal(client.downloadUrl({ outputUrl }), `${url}/api/files/conv_1/download?token=a.b`)
  t.equal(client.downloadUrl({}), undefined)
})

t.test('an error has the code, the message and the request id', async (t) => {
  const { client, asked } = await serve(t, (_req, res) =>
    answer(res, 400, refusal('UNSUPPORTED_FORMAT'), { 'x-request-id': 'r1' }),
  )
  const error = await client.start({ fileId: 'f', toFormat: 'x' }).catch((thrown) => thrown)
  t.type(error, AthanorError)
  t.match(error, { code: 'UNSUPPORTED_FORMAT', message: 'UNSUPPORTED_FORMAT it is', status: 400, requestId: 'r1' })
  t.equal(asked.length, 1)
})

t.test('reads are retried if there was no answer, starts are not', async (t) => {
  const { client, asked } = await serve(t, (_req, res, count) => {
    if (count % 2) return res.destroy()
    answer(res, 200, { formats: [] })
    return undefined
  })
  t.strictSame(await client.formats(), [])
  t.equal(asked.length, 2)
  t.match(await client.start({ fileId: 'f', toFormat: 'x' }).catch((thrown) => thrown), { code: 'NETWORK', status: 0 })
  t.equal(asked.length, 3)
})

t.test('a pause that the service asks for is obeyed, reported, and limited', async (t) => {
  const waits: number[] = []
  const { client, asked } = await serve(
    t,
    (_req, res, count) => {
      if (count === 1) return answer(res, 429, refusal('RATE_LIMITED'), { 'retry-after': '1' })
      if (count === 3) return answer(res, 429, refusal('RATE_LIMITED'), { 'retry-after': '900' })
      if (count === 4) return answer(res, 429, refusal('QUOTA_EXCEEDED'), { 'retry-after': '1' })
      answer(res, 201, { conversionId: 'conv_1' })
    },
    { onWait: (seconds) => waits.push(seconds), patience: 5000 },
  )
  const start = () => client.start({ fileId: 'f', toFormat: 'x' })
  t.equal(await start(), 'conv_1')
  t.strictSame(waits, [1, 0])
  // Longer than its patience.
  t.match(await start().catch((thrown) => thrown), { code: 'RATE_LIMITED', retryAfter: 900 })
  t.match(await start().catch((thrown) => thrown), { code: 'QUOTA_EXCEEDED' }, 'tomorrow is no pause')
  t.equal(asked.length, 4)
})

t.test('a signal ends a request and a wait', async (t) => {
  const { client } = await serve(t, (_req, res) =>
    answer(res, 503, refusal('MAINTENANCE_MODE'), { 'retry-after': '60' }),
  )
  const signal = AbortSignal.timeout(100)
  t.match(await client.formats({ signal }).catch((thrown) => thrown), { name: 'TimeoutError' })
  t.match(await client.formats({ signal }).catch((thrown) => thrown), { name: 'TimeoutError' })
})

const waits = (asked: readonly string[]) => asked.map((line) => line.replace(/.*\/api\//, ''))

t.test('the end of a conversion is heard by one stream of events, also for several', async (t) => {
  const streams: ServerResponse[] = []
  const { client, asked } = await serve(t, (req, res) => {
    if (!req.url!.endsWith('/events')) return answer(res, 200, { conversion: { status: 'queued', progress: 0 } })
    streams.push(res.writeHead(200, { 'content-type': 'text/event-stream' }))
    res.write('retry: 1000\n\n')
    return undefined
  })
  const done = createDone(client)
  const seen: number[] = []
  const ends = ['a', 'b'].map((id) => done(id, { onProgress: ({ progress }) => seen.push(progress) }))
  await until(async () => streams.length === 1 && asked.length === 3)
  const tell = (id: string, status: string, progress: number) =>
    streams[0]!.write(`id: 1\nevent: conversion\ndata: ${JSON.stringify({ id, status, progress })}\n\n`)
  tell('a', 'processing', 50)
  tell('b', 'failed', 60)
  tell('c', 'completed', 70)
  tell('a', 'completed', 100)
  t.match(await Promise.all(ends), [{ status: 'completed' }, { status: 'failed' }])
  t.strictSame(seen, [0, 0, 50, 60, 100])
  t.strictSame(waits(asked), ['conversions/a?wait=1', 'conversions/b?wait=1', 'events'])
  await once(streams[0]!, 'close')
})

t.test('without events, the end comes by long polls; if these are cut off, by short ones', async (t) => {
  const states = ['queued', 'processing', 'completed']
  const long = await serve(t, (req, res, count) =>
    req.url!.endsWith('/events')
      ? answer(res, 404, refusal('NOT_FOUND'))
      : answer(res, 200, { conversion: { status: count > 2 ? states[count - 2] : 'queued' } }),
  )
  t.match(await createDone(long.client)('c'), { status: 'completed' })
  const [first, events, ...polls] = waits(long.asked)
  t.strictSame([first, events, polls], ['conversions/c?wait=1', 'events', Array(2).fill('conversions/c?wait=25')])
  const cut = await serve(
    t,
    (req, res) =>
      /wait|events/.test(req.url!) ? res.destroy() : answer(res, 200, { conversion: { status: 'failed' } }),
    { patience: 0 },
  )
  t.match(await createDone(cut.client)('c'), { status: 'failed' })
  t.equal(waits(cut.asked).at(-1), 'conversions/c')
})

t.test('the pace sends no request that would be refused, also while others are pending', async (t) => {
  let now = 0
  const pace = createPace(() => now)
  const says = (left: number) =>
    ({ header: (name: string) => ({ 'RateLimit-Remaining': String(left), 'RateLimit-Reset': '30' })[name] }) as never
  const first = pace.leave('uploads')
  const second = pace.leave('uploads')
  t.equal(pace.delay('uploads'), 0, 'nothing is known')
  first(says(1))
  t.equal(pace.delay('uploads'), 30_000, 'the one left may be the one under way')
  second(says(1))
  t.equal(pace.delay('uploads'), 0)
  pace.leave('uploads')(says(0))
  now = 10_000
  t.equal(pace.delay('uploads'), 20_000)
  t.equal(pace.delay('conversions'), 0)
  now = 30_000
  t.equal(pace.delay('uploads'), 0)
  t.strictSame(
    [familyOf('POST', 'api/import/url'), familyOf('GET', 'api/conversions?limit=1'), familyOf('GET', 'api/formats')],
    ['uploads', '', 'requests'],
  )
  t.strictSame(
    [familyOf('POST', 'api/conversions/batch'), familyOf('POST', 'api/conversions/zip')],
    ['conversions', 'requests'],
  )
})

/** A service that makes the file of a complete upload whose last answer is lost. @param read Answers each GET. */
async function serveMaking(t: Test, read: Handle) {
  let asked = 0
  return serve(t, (req, res) => {
    if (req.method === 'POST') return answer(res, 201, undefined, { location: 'tus/1' })
    if (req.method === 'HEAD') return answer(res, 200, undefined, { 'upload-offset': '20' })
    if (req.method === 'PATCH') return res.destroy()
    if (req.method === 'GET') return read(req, res, ++asked)
    return answer(res, 204)
  })
}

/** Sends 20 bytes in parts, with less patience than the service needs. */
const sendInParts = (url: string, more: { signal?: AbortSignal } = {}) =>
  createClient({ url, patience: 100 }, { above: 10, size: 100 }).upload(new Blob(['x'.repeat(20)]), 'a.stub', more)

t.test('a complete upload is not given up while the service makes its file', async (t) => {
  const { url, asked } = await serveMaking(t, (_req, res, count) => {
    if (count === 1) return answer(res, 503, refusal('NOT_READY'), { 'retry-after': '2' })
    if (count === 2) return answer(res, 504)
    if (count === 3) return res.destroy()
    return answer(res, 200, { file: { fileId: 'f' } })
  })
  t.match(await sendInParts(url), { file: { fileId: 'f' } })
  t.equal(asked.filter((line) => line.startsWith('GET')).length, 4)
  t.notOk(asked.some((line) => line.startsWith('DELETE')))
})

t.test('a complete upload is given up if its file is refused, or the caller no longer wants it', async (t) => {
  const gone = (asked: string[]) => until(() => asked.some((line) => line.startsWith('DELETE')))
  const refused = await serveMaking(t, (_req, res) => answer(res, 400, refusal('UNSUPPORTED_FORMAT')))
  await t.rejects(sendInParts(refused.url), { code: 'UNSUPPORTED_FORMAT' })
  await gone(refused.asked)
  const controller = new AbortController()
  const waiting = await serveMaking(t, (_req, res) => {
    answer(res, 503, refusal('NOT_READY'), { 'retry-after': '60' })
    setTimeout(() => controller.abort(new Error('enough')), 100)
  })
  await t.rejects(sendInParts(waiting.url, { signal: controller.signal }), { message: 'enough' })
  await gone(waiting.asked)
})
