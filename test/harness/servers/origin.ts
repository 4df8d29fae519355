import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A foreign web server. */
export interface Origin extends AsyncDisposable {
  port: number
  /** `http://127.0.0.1:…`, without a slash at the end. */
  base: string
  /** Requests that it got. */
  requests: IncomingMessage[]
  /** Open connections. */
  open(): number
}

/** Starts one on a loopback address, with `tls` over HTTPS. */
export async function startOrigin(
  answer: RequestListener,
  { host = '127.0.0.1', port = 0, tls }: { host?: string; port?: number; tls?: ServerOptions } = {},
): Promise<Origin> {
  const requests: IncomingMessage[] = []
  const listener: RequestListener = (req, res) => {
    requests.push(req)
    res.on('error', () => {})
    answer(req, res)
  }
  const server = tls ? createHttpsServer(tls, listener) : createServer(listener)
  let sockets = 0
  server.on('connection', (socket) => {
    sockets++
    socket.on('error', () => {}).once('close', () => sockets--)
  })
  await once(server.listen(port, host), 'listening')
  const bound = (server.address() as AddressInfo).port
  return {
    port: bound,
    base: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    requests,
    open: () => sockets,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}
