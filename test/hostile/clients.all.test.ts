/** Slow and disconnecting clients. */
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { call, convert, get, pathOf, serviceOf, startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { random, seed } from './random.ts'

const service = await serviceOf(t, {
  change(config) {
    Object.assign(config.plans.guest, { conversionsPerDay: null, bytesPerDay: null, pendingJobs: null })
    Object.assign(config.http, { headersTimeout: 2000, bodyTimeout: 2000, idleTimeout: 5000 })
  },
})
const next = random(seed)
const below = (limit: number) => Math.floor(next() * limit)

const incoming = () => readdir(join(service.dataDir, 'incoming'))
const descriptors = async () => (await readdir('/proc/self/fd')).length

const boundary = 'b0undary'
const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.stub"\r\n\r\nSTUB\ntext\r\n`

const SLOW = 300

/** Connects clients that send a part of a request, or nothing, and then at most a byte now and then. */
function connectSlowClients(port: number) {
  const heads = [
    'GET /api/tools HTTP/1.1\r\nHost: localhost\r\n',
    'POST /api/conversions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{',
    `POST /api/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: 99999\r\n\r\n${file.slice(0, -5)}`,
    '',
  ]
  const sockets = Array.from({ length: SLOW }, (_, index) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.resume()
    socket.write(heads[index % heads.length]!)
    return socket
  })
  const trickle = setInterval(() => {
    for (const [index, socket] of sockets.entries()) if (!socket.destroyed && index % 4 < 3) socket.write('x')
  }, 500)
  return {
    /** Counts the connections that neither end has closed. */
    open: () => sockets.filter(({ readyState }) => readyState === 'open').length,
    [Symbol.dispose]() {
      clearInterval(trickle)
      for (const socket of sockets) socket.destroy()
    },
  }
}

t.test('slow clients block nobody', async (t) => {
  // Longer than this test: if somebody had to wait for a slow client, that client would be gone.
  const patience = 60 * 60_000
  await using patient = await startService({
    change: ({ http }) =>
      Object.assign(http, { headersTimeout: patience, bodyTimeout: patience, idleTimeout: patience }),
  })
  using clients = connectSlowClients(patient.port)
  const begun = async () => (await readdir(join(patient.dataDir, 'incoming'))).length
  await until(async () => clients.open() === SLOW && (await begun()) === SLOW / 4)
  for (let ask = 0; ask < 40; ask++) t.equal((await get(patient, '/healthz')).status, 200)
  t.equal((await convert(patient)).conversion.status, 'completed')
  t.equal(clients.open(), SLOW, 'others are answered while all of them are connected')
})

t.test('slow clients are disconnected', async (t) => {
  const before = await descriptors()
  using clients = connectSlowClients(service.port)
  await until(() => clients.open() === SLOW)
  await until(() => clients.open() === 0)
  await until(async () => (await incoming()).length === 0)
  await until(async () => (await descriptors()) <= before + 5)
  t.equal((await get(service, '/healthz')).status, 200)
})

t.test('aborted uploads and downloads leave nothing behind', async (t) => {
  const { conversion } = await convert(service)
  const path = pathOf(conversion.outputUrl)
  await call(service, 'GET', path)
  const before = await descriptors()
  const open = async (bytes: string | Buffer) => {
    const socket = connect(service.port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.write(bytes)
    await delay(below(30))
    socket.resetAndDestroy()
  }
  const head = `POST /api/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: 3000000\r\n\r\n`
  const begun = Buffer.from(head + file.replace('text', 'x'.repeat(2_000_000)))
  for (let round = 0; round < 10; round++) {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        open(
          index % 2
            ? begun.subarray(0, below(begun.length))
            : `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(3),
        ),
      ),
    )
  }
  await until(async () => (await incoming()).length === 0)
  await until(async () => (await descriptors()) <= before + 5)
  const faults = service.log.filter(({ level }) => (level as number) >= 50)
  t.same(faults.slice(0, 3), [], 'nothing was a fault of ours')
})
