/** What a server that stops does with what has arrived, and it has not read yet. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import t, { type Test } from 'tap'
import { createDrain } from '../../kernel/http/connection/drain.ts'
import { folderOf } from '../harness/folder.ts'
import { makeCertificate } from '../harness/servers/certificate.ts'

const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody'
const SERVED = /^HTTP\/1\.1 200 OK\r\n.*Connection: close\r\n.*body/s

/** A server that answers with what it received. */
async function start(t: Test) {
  const server = createServer((req, res) => req.pipe(res))
  const drain = createDrain(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    await drain.leave(0)
    await drain.close(60_000, Promise.resolve())
  }
  return { server, drain, stop, open: () => connect(port, '127.0.0.1') }
}

t.test('it does not wait for connections that have said nothing, encrypted or not', async (t) => {
  const { key, cert } = makeCertificate(await folderOf(t))!
  const tls = { key: readFileSync(key), cert: readFileSync(cert) }
  const server = createTlsServer({ ...tls, headersTimeout: 5000, connectionsCheckingInterval: 500 })
  const drain = createDrain(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const encrypted = connectTls({ port, host: '127.0.0.1', ca: tls.cert })
  const plain = connect(port, '127.0.0.1')
  await Promise.all([once(server, 'secureConnection'), once(encrypted, 'secureConnect'), once(plain, 'connect')])
  const said = [encrypted, plain].map(answerOn)
  await drain.close(60_000, Promise.resolve())
  // Otherwise the timeout of heads would end them, with an answer.
  t.strictSame(await Promise.all(said), ['', ''])
})

/** Resolves to all that comes back, and to the name of an error. */
const answerOn = (socket: Socket) => text(socket).catch(({ code }) => code)

t.test('it serves connections that it had not accepted', async (t) => {
  const { stop, open } = await start(t)
  // Before the event loop turns, nobody can accept them: the system connects on loopback, and takes what is sent.
  const sockets = Array.from({ length: 100 }, () => open())
  for (const socket of sockets) socket.write(POST)
  const answers = sockets.map(answerOn)
  await stop()
  for (const answer of await Promise.all(answers)) t.match(answer, SERVED)
})

t.test('it serves a request on a kept connection that it had not read', async (t) => {
  const { server, stop, open } = await start(t)
  const socket = open()
  const first = once(server, 'request')
  socket.write(POST)
  await first
  await once(socket, 'data')
  socket.write(POST)
  const answer = answerOn(socket)
  await stop()
  t.match(await answer, SERVED)
})

t.test('before that, it ends each connection with its answer, and accepts new ones', async (t) => {
  const { drain, open } = await start(t)
  const kept = open()
  const fresh = open()
  await Promise.all([kept, fresh].map((socket) => once(socket, 'connect')))
  await drain.leave(0)
  for (const socket of [kept, fresh, open()]) {
    socket.write(POST)
    t.match(await answerOn(socket), SERVED)
  }
})
