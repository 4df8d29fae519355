/** The signals that shut down the service in order. */
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startStub } from './program.ts'

/** A folder that the user of the engines can enter, and that ends with the test. */
function newFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'athanor-signal-'))
  chmodSync(folder, 0o711)
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Sends the signal when the service already listens for it but cannot be ready yet. */
const early = `process.on('newListener', (name) => { if (name === 'SIGHUP') setImmediate(() => process.kill(process.pid, 'SIGHUP')) })`

for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) {
  t.test(`${signal} lets a running conversion finish, and ends with 0`, async (t) => {
    const folder = newFolder(t)
    const dataDir = join(folder, 'data')
    const first = startStub(t, dataDir)
    const base = await first.ready()
    const form = new FormData()
    form.append('file', new Blob(['STUB\ntext']), 'a.stub')
    const { file } = (await (await fetch(`${base}/api/uploads`, { method: 'POST', body: form })).json()) as any
    const start = { fileId: file.fileId, toFormat: 'bust', options: { sleep: 1500 } }
    const headers = { 'content-type': 'application/json' }
    const started = await fetch(`${base}/api/conversions`, { method: 'POST', headers, body: JSON.stringify(start) })
    const { conversionId } = (await started.json()) as any
    first.kill(signal)
    t.match(await first.ended(), { code: 0, signal: null })

    const second = startStub(t, dataDir)
    const poll = await fetch(`${await second.ready()}/api/conversions/${conversionId}?wait=20`)
    const { conversion } = (await poll.json()) as any
    t.equal(conversion.status, 'completed')
    t.match(conversion.completedAt, /Z$/)
    second.kill('SIGTERM')
    const { stdout } = await second.ended()
    t.notMatch(stdout, 'conversions of an earlier start resumed', 'the first had finished it')
  })
}

t.test('SIGHUP before it is ready also exits with 0', async (t) => {
  const folder = newFolder(t)
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(early)}` }
  const service = startStub(t, join(folder, 'data'), { env })
  t.match(await service.ended(), { code: 0, signal: null })
})

/** Sends all but the end of an upload. */
async function beginUpload(base: string) {
  const body =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.stub"\r\n\r\nSTUB\nslowly sent\r\n--b--\r\n'
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': body.length }
  const upload = request(`${base}/api/uploads`, { method: 'POST', headers })
  const answer = once(upload, 'response') as Promise<[IncomingMessage]>
  // A test that expects no answer looks at it later.
  answer.catch(() => {})
  const rest = [...body.slice(-25)]
  await new Promise((sent) => upload.write(body.slice(0, -25), sent))
  return { upload, answer, rest }
}

/** Resolves when the service accepts no connection any more. */
async function refuses(base: string): Promise<void> {
  const { hostname, port } = new URL(base)
  for (let refused = false; !refused; ) {
    const socket = connect({ host: hostname, port: Number(port) })
    refused = await once(socket, 'connect').then(
      () => false,
      () => true,
    )
    socket.destroy()
    if (!refused) await delay(20)
  }
}

t.test('an upload that is still arriving is taken to its end', async (t) => {
  const folder = newFolder(t)
  const service = startStub(t, join(folder, 'data'))
  const base = await service.ready()
  const { upload, answer, rest } = await beginUpload(base)
  service.kill('SIGTERM')
  await refuses(base)
  // For longer than a service without conversions needs to stop.
  for (const byte of rest) {
    upload.write(byte)
    await delay(60)
  }
  upload.end()
  t.equal((await answer)[0].statusCode, 201)
  t.match(await service.ended(), { code: 0, signal: null })
})

t.test('an upload that does not end is cut off after the grace, and leaves nothing', async (t) => {
  const folder = newFolder(t)
  const dataDir = join(folder, 'data')
  const service = startStub(t, dataDir, { yaml: 'shutdown: { grace: 1s }' })
  const { answer } = await beginUpload(await service.ready())
  service.kill('SIGTERM')
  await t.rejects(answer, { code: 'ECONNRESET' })
  const { code, stdout } = await service.ended()
  t.equal(code, 0)
  t.notMatch(stdout, '"level":50', 'without an error in the log')
  t.strictSame(readdirSync(join(dataDir, 'incoming')), [])
})

t.test('a client that waits for a conversion has its answer when the conversion is handed back', async (t) => {
  const folder = newFolder(t)
  const service = startStub(t, join(folder, 'data'), { yaml: 'shutdown: { grace: 1s }' })
  const base = await service.ready()
  const { upload, answer, rest } = await beginUpload(base)
  upload.end(rest.join(''))
  const { file } = JSON.parse(await text((await answer)[0]))
  const start = { fileId: file.fileId, toFormat: 'bust', options: { hang: true } }
  const headers = { 'content-type': 'application/json' }
  const started = await fetch(`${base}/api/conversions`, { method: 'POST', headers, body: JSON.stringify(start) })
  const { conversionId } = (await started.json()) as any
  const waiting = request(`${base}/api/conversions/${conversionId}?wait=30`).end()
  await once(waiting, 'finish')
  await fetch(`${base}/healthz`)
  service.kill('SIGTERM')
  const [waited] = (await once(waiting, 'response')) as [IncomingMessage]
  t.equal(waited.statusCode, 200)
  t.match(JSON.parse(await text(waited)).conversion, { id: conversionId, status: /queued|processing/ })
  t.match(await service.ended(), { code: 0, signal: null })
})

t.test('it first says that it is not ready, and serves everyone for a while', async (t) => {
  const folder = newFolder(t)
  const yaml = 'shutdown: { delay: 1d, grace: 1s }'
  const service = startStub(t, join(folder, 'data'), { yaml })
  const base = await service.ready()
  const { status: ready } = await fetch(`${base}/readyz`)
  t.equal(ready, 200)
  service.kill('SIGTERM')
  let answer: Response
  do answer = await fetch(`${base}/readyz`)
  while (answer.status === 200)
  t.equal(answer.status, 503)
  t.match(await answer.json(), { error: { code: 'NOT_READY', message: /service \(stopping\)/ } })
  t.equal(answer.headers.get('connection'), 'close')
  const { upload, answer: uploaded, rest } = await beginUpload(base)
  upload.end(rest.join(''))
  const { file } = JSON.parse(await text((await uploaded)[0]))
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ fileId: file.fileId, toFormat: 'bust' })
  const started = await fetch(`${base}/api/conversions`, { method: 'POST', headers, body })
  const { conversionId } = (await started.json()) as any
  const { conversion } = (await (await fetch(`${base}/api/conversions/${conversionId}?wait=20`)).json()) as any
  t.equal(conversion.status, 'completed')
  // Whoever waits at a terminal need not wait for this.
  const repeated = setInterval(() => service.kill('SIGINT'), 100)
  t.equal((await service.ended()).code, 130)
  clearInterval(repeated)
})

t.test('a connection that says nothing does not hold the stop up', async (t) => {
  const folder = newFolder(t)
  const service = startStub(t, join(folder, 'data'), { yaml: 'shutdown: { grace: 1d }' })
  const { hostname, port } = new URL(await service.ready())
  const silent = connect({ host: hostname, port: Number(port) })
  await once(silent, 'connect')
  silent.on('error', () => {})
  service.kill('SIGTERM')
  t.match(await service.ended(), { code: 0, signal: null })
})

t.test('nor does one that never finishes the head of its request', async (t) => {
  const folder = newFolder(t)
  const service = startStub(t, join(folder, 'data'), { yaml: 'shutdown: { grace: 1d }\nhttp: { headersTimeout: 1s }' })
  const { hostname, port } = new URL(await service.ready())
  const slow = connect({ host: hostname, port: Number(port) })
  const answer = text(slow)
  slow.write('GET /healthz HTTP/1.1\r\nHost:')
  // The service has read it, as it has answered what came later.
  await fetch(`http://${hostname}:${port}/healthz`)
  service.kill('SIGTERM')
  t.match(await answer, /^HTTP\/1.1 408 /)
  t.match(await service.ended(), { code: 0, signal: null })
})
