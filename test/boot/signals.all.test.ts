/** Each of the signals that stop the service, and clients that hold the stop up. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { until } from '../harness/until.ts'
import { finishesOn } from './finishing.ts'
import { startAt, startStub } from './program.ts'
import { beginUpload } from './slow-upload.ts'

/** Sends the signal when the service already listens for it but cannot be ready yet. */
const early = `process.on('newListener', (name) => { if (name === 'SIGHUP') setImmediate(() => process.kill(process.pid, 'SIGHUP')) })`

for (const signal of ['SIGHUP', 'SIGINT'] as const) {
  t.test(`${signal} lets a running conversion finish, and ends with 0`, (t) => finishesOn(t, signal))
}

t.test('SIGHUP before it is ready also exits with 0', async (t) => {
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(early)}` }
  const service = startStub(t, join(await folderOf(t), 'data'), { env })
  t.match(await service.ended(), { code: 0, signal: null })
})

/** Resolves when the service accepts no connection any more. */
async function refuses(base: string): Promise<void> {
  const { hostname, port } = new URL(base)
  await until(async () => {
    const socket = connect({ host: hostname, port: Number(port) })
    const refused = await once(socket, 'connect').then(
      () => false,
      () => true,
    )
    socket.destroy()
    return refused
  })
}

t.test('an upload that is still arriving is taken to its end', async (t) => {
  const service = startStub(t, join(await folderOf(t), 'data'))
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

t.test('a client that waits for a conversion has its answer when the conversion is handed back', async (t) => {
  const service = startStub(t, join(await folderOf(t), 'data'), { yaml: 'shutdown: { grace: 1s }' })
  const base = await service.ready()
  const conversionId = await startAt(base, { hang: true })
  const waiting = request(`${base}/api/conversions/${conversionId}?wait=30`).end()
  await once(waiting, 'finish')
  await fetch(`${base}/healthz`)
  service.kill('SIGTERM')
  const [waited] = (await once(waiting, 'response')) as [IncomingMessage]
  t.equal(waited.statusCode, 200)
  t.match(JSON.parse(await text(waited)).conversion, { id: conversionId, status: /queued|processing/ })
  t.match(await service.ended(), { code: 0, signal: null })
})

t.test('a connection that says nothing does not hold the stop up', async (t) => {
  const service = startStub(t, join(await folderOf(t), 'data'), { yaml: 'shutdown: { grace: 1d }' })
  const { hostname, port } = new URL(await service.ready())
  const silent = connect({ host: hostname, port: Number(port) })
  await once(silent, 'connect')
  silent.on('error', () => {})
  service.kill('SIGTERM')
  t.match(await service.ended(), { code: 0, signal: null })
})

t.test('nor does one that never finishes the head of its request', async (t) => {
  const service = startStub(t, join(await folderOf(t), 'data'), {
    yaml: 'shutdown: { grace: 1d }\nhttp: { headersTimeout: 1s }',
  })
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
