import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Readable, Transform, type Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'

/** What a proxy does to requests. */
export interface Manner {
  /** Path under which the service appears, such as `/convert`. */
  prefix?: string
  /** Added to each request. */
  headers?: IncomingHttpHeaders
  /** Whether it keeps streams of events back, as a proxy does that sends only full buffers. */
  holdsEvents?: boolean
  /** Most bytes of one body. */
  body?: number
  /** Bytes of a body after which it forwards no more, and what it does then. */
  cutAfter?: number
  onCut?: () => void
  /** Bytes per millisecond that it forwards. */
  pace?: number
}

/** A reverse proxy on loopback, like one in front of the service. */
export interface Proxy {
  base: string
  /** Base of the service; undefined: every connection is cut, as if the service were away. */
  target: string | undefined
  /** Requests whose connections were cut before their answer was complete. */
  cut: number
  /** Cuts all connections that wait for an answer. Returns their number. */
  drop(): number
}

/** Bytes that a slow one forwards at a time. */
const SLICE = 4096

/** Starts a proxy in front of a service, by its base. It ends with the test. */
export async function proxyOf(t: Test, target?: string, manner: Manner = {}): Promise<Proxy> {
  const { prefix = '', headers = {}, holdsEvents = false, body = Number.POSITIVE_INFINITY, cutAfter, pace } = manner
  const open = new Set<ServerResponse>()
  const server = createServer((req, res) => {
    open.add(res)
    res.on('close', () => {
      open.delete(res)
      if (!res.writableFinished) proxy.cut++
    })
    if (!target) return void req.socket.destroy()
    if (!req.url!.startsWith(`${prefix}/`)) return void res.writeHead(404).end()
    if (Number(req.headers['content-length'] ?? 0) > body)
      return void res.writeHead(413, { 'content-type': 'text/html' }).end('<h1>Too large</h1>')
    const own = { method: req.method!, headers: { ...req.headers, ...headers } }
    const onward = request(target + req.url!.slice(prefix.length), own, (answer) => {
      if (holdsEvents && answer.headers['content-type']?.startsWith('text/event-stream')) return
      res.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(res).on('error', () => {})
    })
    onward.on('error', () => res.destroy())
    res.on('close', () => onward.destroy())
    if (cutAfter) void forward(req, onward, cutAfter).then(manner.onCut)
    else if (pace) req.pipe(slowed(pace)).pipe(onward)
    else req.pipe(onward)
    return undefined
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const proxy: Proxy = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: 0,
    drop: () => [...open].map((res) => res.destroy()).length,
    get target() {
      return target
    },
    // Open streams end with the service, too.
    set target(next) {
      target = next
      if (!next) server.closeAllConnections()
    },
  }
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return proxy
}

/** Forwards a body. Resolves when this many bytes of it are on their way; else never. */
async function forward(from: Readable, to: Writable, bytes: number): Promise<void> {
  let left = bytes
  for await (const chunk of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const part = chunk.subarray(0, left)
    left -= part.length
    await new Promise((resolve) => to.write(part, resolve))
    if (left === 0) return
  }
  to.end()
  return new Promise(() => {})
}

const slowed = (pace: number) =>
  new Transform({
    highWaterMark: 1024,
    async transform(chunk: Buffer, _encoding, done) {
      for (let at = 0; at < chunk.length; at += SLICE) {
        await delay(SLICE / pace)
        this.push(chunk.subarray(at, at + SLICE))
      }
      done()
    },
  })
