import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type Server, type ServerOptions } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Kernel } from '../kernel.ts'
import { createApp } from './app.ts'
import { keepAnswersMoving } from './connection/answer-pace.ts'
import { boundPipeline } from './connection/pipeline.ts'
import { noteExpectation } from './connection/unread-body.ts'
import { refuseTunnel, refuseUnreadable } from './connection/unreadable.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'

const OPTIONS: ServerOptions = {
  // Checked by the application, which answers in JSON.
  requireHostHeader: false,
  maxHeaderSize: 16 * 1024,
  // A body may take as long as it keeps coming: who reads it bounds it.
  requestTimeout: 0,
  // Longer than a proxy keeps its end open, or it would reuse a connection that is closing.
  keepAliveTimeout: 65_000,
  // Bytes that wait in memory for a client that reads slowly, and as many that come from one that sends.
  highWaterMark: 128 * 1024,
}

/** Makes the server; the caller listens. Speaks HTTPS when the configuration names a certificate. */
export function createServer(kernel: Kernel, metrics: Metrics = createMetrics(kernel)): Server {
  const handle = boundPipeline(createApp(kernel, metrics).callback(), kernel.log)
  const { tls, http } = kernel.config
  const options: ServerOptions = {
    ...OPTIONS,
    headersTimeout: http.headersTimeout,
    // How late a timeout may be noticed.
    connectionsCheckingInterval: Math.min(5000, http.headersTimeout),
  }
  const server = tls
    ? createHttpsServer(
        { ...options, cert: readFileSync(tls.cert), key: readFileSync(tls.key), minVersion: 'TLSv1.2' },
        handle,
      )
    : createHttpServer(options, handle)
  keepAnswersMoving(server, kernel.config, kernel.log)
  return server
    .setTimeout(http.idleTimeout)
    .on('checkContinue', (req, res) => {
      // `100 Continue` is sent when the body is wanted: a refusal comes before it.
      noteExpectation(req)
      handle(req, res)
    })
    .on('checkExpectation', handle)
    .on('clientError', refuseUnreadable(kernel.log))
    .on('connect', refuseTunnel(kernel.log))
}
