import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { startOrigin } from './origin.ts'

/** What a proxy does with one request instead of passing it on. */
export type Fault =
  /** Answers with this status and does not pass the request on. */
  | { status: number }
  /** Passes the request on, and closes the connection after so many bytes of the answer's body. */
  | { cut: number }
  /** Passes the request on, and stops sending after so many bytes of the answer's body. 0: sends nothing at all. */
  | { stall: number }
  /** Passes the request on, and answers when this resolves. */
  | { until: Promise<void> }
  /** Passes the request on, and closes the connection instead of answering. */
  | 'lose'

/** A proxy in front of a server, which breaks answers. */
export interface FaultyProxy extends AsyncDisposable {
  endpoint: string
  /** Decides about each request. Undefined: it is passed on. */
  fault: (request: IncomingMessage) => Fault | undefined
  /** Method and URL of each request. */
  seen: string[]
}

/** Starts such a proxy on loopback. It keeps the Host header, which signatures cover. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const origin = await startOrigin((req, res) => void handle(req, res).catch(() => res.destroy()))
  const proxy: FaultyProxy = {
    endpoint: origin.base,
    fault: () => undefined,
    seen: [],
    [Symbol.asyncDispose]: origin[Symbol.asyncDispose],
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    proxy.seen.push(`${req.method} ${req.url}`)
    const fault = proxy.fault(req)
    if (fault && typeof fault === 'object' && 'status' in fault) {
      req.resume()
      await once(req, 'end')
      res.writeHead(fault.status).end()
      return
    }
    // Not a shared agent: Swift closes idle connections.
    const passed = httpRequest(target + req.url, { method: req.method, headers: req.headers, agent: false })
    // Swift sends a body after the head of some answers to HEAD.
    passed.on('error', () => req.method === 'HEAD' || res.destroy())
    res.on('close', () => passed.destroy())
    req.pipe(passed)
    const [answer] = (await once(passed, 'response')) as [IncomingMessage]
    if (fault === 'lose') {
      answer.resume()
      await once(answer, 'end')
      res.destroy()
      return
    }
    if (fault && 'stall' in fault && !fault.stall) return
    if (fault && 'until' in fault) await fault.until
    res.writeHead(answer.statusCode!, answer.headers)
    if (req.method === 'HEAD' && !fault) return void res.end()
    const max = mostOf(fault)
    let sent = 0
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      const part = chunk.subarray(0, max - sent)
      sent += part.length
      if (!res.write(part)) await once(res, 'drain')
      if (sent < max) continue
      if (fault && 'stall' in fault) return
      // What was written must leave first.
      await new Promise((resolve) => res.write('', resolve))
      res.destroy()
      return
    }
    res.end()
  }

  return proxy
}

/** Bytes of the answer's body that are sent. */
function mostOf(fault: Exclude<Fault, { status: number } | 'lose'> | undefined): number {
  if (!fault || 'until' in fault) return Number.POSITIVE_INFINITY
  return 'cut' in fault ? fault.cut : fault.stall
}
