/** The other signals that stop the service, and clients that hold the stop up. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { rowsIn } from '../harness/installation.ts'
import { until } from '../harness/until.ts'
import { startAt, startStub } from './program.ts'
import { beginUpload } from './slow-upload.ts'

/** Sends the signal when the service already listens for it but cannot be ready yet. */
const early = `process.on('newListener', (name) => { if (name === 'SIGHUP') setImmediate(() => process.kill(process.pid, 'SIGHUP')) })`

for (const signal of ['SIGHUP', 'SIGINT'] as const) {
  t.test(`${signal} lets a running conversion finish, and ends with 0`, async (t) => {
    const dataDir = join(await folderOf(t), 'data')
    const service = startStub(t, dataDir)
    const id = await startAt(await service.ready(), { sleep: 1500 })
    service.kill(signal)
    t.match(await service.ended(), { code: 0, signal: null })
    t.match(rowsIn(dataDir), [{ id, status: 'completed' }])
  })
}

t.test('SIGHUP before it is ready also exits with 0', async (t) => {
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(early)}` }
  const service = startStub(t, join(await folderOf(t), 'data'), { env })
  t.match(await service.ended(), { code: 0, signal: null })
})

/** Resolves when the service accepts no connection any more. */
const refuses = (base: string) =>
  until(async () => {
    const socket = connect({ host: new URL(base).hostname, port: Number(new URL(base).port) })
    const refused = await once(socket, 'connect').then(
      () => false,
      () => true,
    )
    socket.destroy()
    return refused
  })

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

t.test('a client that waits has its answer when the conversion is handed back; silence waits for none', async (t) => {
  const service = startStub(t, join(await folderOf(t), 'data'), { yaml: 'shutdown: { grace: 1s }' })
  const base = await service.ready()
  const silent = connect({ host: new URL(base).hostname, port: Number(new URL(base).port) }).on('error', () => {})
  await once(silent, 'connect')
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
