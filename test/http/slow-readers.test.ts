/** Clients that do not read, or request more than they read. `slow-readers.all.test.ts` has hundreds of them. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import t from 'tap'
import { convert, get, refusal, serviceOf } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { beside } from './beside.ts'

const SIZE = 8_000_000
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

const { download: path } = await convert(service, {}, {}, `STUB\n${'x'.repeat(SIZE - 5)}`)
const openFiles = () => opened.filter(({ closed }) => !closed).length
const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

/** Opens a connection that sends this and reads nothing by itself. */
async function ask(text: string, { port } = service): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
  await once(socket, 'connect')
  socket.pause().write(text)
  return socket
}

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
