import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Transform } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

/** Bytes that it forwards at a time. */
const SLICE = 4096

/** A proxy that refuses large bodies, forwards slowly, and cuts every connection after a time. */
export interface HarshProxy extends AsyncDisposable {
  url: string
  /** Connections that were cut before their answer was complete. */
  cut: number
  /** Where it forwards to. Undefined: nowhere, as while the service restarts. */
  port: number | undefined
}

/**
 * @param bounds `body`: most bytes of one body; `time`: milliseconds of a connection; `pace`: bytes per millisecond.
 */
export async function startHarshProxy(
  port: number,
  bounds: { body: number; time: number; pace: number },
): Promise<HarshProxy> {
  const server = createServer((req, res) => {
    if (proxy.port === undefined) return void res.writeHead(502).end('<h1>Bad Gateway</h1>')
    if (Number(req.headers['content-length'] ?? 0) > bounds.body) {
      return void res.writeHead(413, { 'content-type': 'text/html' }).end('<h1>Too large</h1>')
    }
    const { method, url, headers } = req
    const further = request({ port: proxy.port, host: '127.0.0.1', method, path: url, headers })
    const timer = setTimeout(() => {
      if (!res.writableFinished) proxy.cut++
      req.socket.destroy()
      further.destroy()
    }, bounds.time)
    const slow = new Transform({
      highWaterMark: 1024,
      async transform(chunk: Buffer, _encoding, done) {
        for (let at = 0; at < chunk.length; at += SLICE) {
          await delay(SLICE / bounds.pace)
          this.push(chunk.subarray(at, at + SLICE))
        }
        done()
      },
    })
    req.pipe(slow).pipe(further)
    further.on('error', () => req.socket.destroy())
    further.on('response', (answer) => {
      res.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(res)
    })
    res.on('close', () => clearTimeout(timer))
    return undefined
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const proxy: HarshProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: 0,
    port,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
  return proxy
}
