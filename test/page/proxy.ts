import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A reverse proxy on loopback, like one in front of the service. */
export interface Proxy {
  base: string
  /** Target of requests; undefined: every connection is cut, as if the service were away. */
  target: string | undefined
  /** Whether it keeps streams of events back, as a proxy does that sends only full buffers. */
  holdsEvents: boolean
  close(): void
}

/** @param prefix Path under which the service appears, such as `/convert`. @param headers Added to each request. */
export async function startProxy(prefix = '', headers: IncomingHttpHeaders = {}): Promise<Proxy> {
  let target: string | undefined
  const proxy: Proxy = {
    base: '',
    holdsEvents: false,
    get target() {
      return target
    },
    // Open streams end with the service, too.
    set target(next) {
      target = next
      if (!next) server.closeAllConnections()
    },
    close: () => {},
  }
  const server = createServer((req, res) => {
    if (!proxy.target) return void req.socket.destroy()
    if (!req.url!.startsWith(`${prefix}/`)) return void res.writeHead(404).end()
    const url = proxy.target + req.url!.slice(prefix.length)
    const onward = request(url, { method: req.method!, headers: { ...req.headers, ...headers } }, (answer) => {
      if (proxy.holdsEvents && answer.headers['content-type']?.startsWith('text/event-stream')) return
      res.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(res).on('error', () => {})
    })
    onward.on('error', () => res.destroy())
    res.on('close', () => onward.destroy())
    req.pipe(onward)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  proxy.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  proxy.close = () => {
    server.close()
    server.closeAllConnections()
  }
  return proxy
}
