import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A load balancer without any memory: each request goes to the next of its targets. */
export interface RoundRobin extends AsyncDisposable {
  base: string
  port: number
  /** Base URLs. Can be changed at any time. */
  targets: string[]
  /** Method, path and target of each request. */
  seen: { method: string; path: string; target: string }[]
}

/** Starts one on loopback. It passes bodies on as they arrive, and a broken connection as one. */
export async function startRoundRobin(...targets: string[]): Promise<RoundRobin> {
  const seen: RoundRobin['seen'] = []

  function handle(req: IncomingMessage, res: ServerResponse): void {
    const target = balancer.targets[seen.length % balancer.targets.length]!
    seen.push({ method: req.method!, path: req.url!, target })
    const passed = httpRequest(target + req.url, { method: req.method, headers: req.headers, agent: false })
    passed.on('continue', () => res.writeContinue())
    passed.on('response', (answer) => {
      res.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(res)
      answer.on('error', () => res.destroy())
    })
    passed.on('error', () => res.destroy())
    // A node may answer before the whole body has arrived.
    req.on('close', () => req.complete || passed.destroy())
    req.pipe(passed)
  }

  const server = createServer(handle).on('checkContinue', handle)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const balancer: RoundRobin = {
    base: `http://127.0.0.1:${port}`,
    port,
    targets,
    seen,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
  return balancer
}
