import { createServer as createHttpServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Kernel } from '../boot/kernel.ts'
import { createApp } from './app.ts'
import { keepAnswersMoving } from './connection/answer-pace.ts'
import { refuseManyLines, requestsInPieces } from './connection/pieces.ts'
import { boundPipeline } from './connection/pipeline.ts'
import { recordExpectation } from './connection/unread-body.ts'
import { refuseTunnel, refuseUnreadable } from './connection/unreadable.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'

const OPTIONS: ServerOptions = {
  // The application checks it, and answers in JSON.
  requireHostHeader: false,
  maxHeaderSize: 16 * 1024,
  // The readers of bodies limit their time.
  requestTimeout: 0,
  // Longer than proxies keep idle connections, or they would reuse one that is closing.
  keepAliveTimeout: 65_000,
  // Bytes that are held in memory for a slow reader, and for a sender.
  highWaterMark: 128 * 1024,
}

/** Creates the server. It speaks HTTPS if the configuration names a certificate. The caller listens. */
export function createServer(kernel: Kernel, metrics: Metrics = createMetrics(kernel)): Server {
  const refuse = refuseUnreadable(kernel.log)
  const handle = boundPipeline(refuseManyLines(createApp(kernel, metrics).callback(), refuse), kernel.log)
  const { certificate } = kernel
  const { http } = kernel.config
  const options: ServerOptions = {
    ...OPTIONS,
    IncomingMessage: requestsInPieces(refuse),
    headersTimeout: http.headersTimeout,
    // The service may notice a timeout that much later.
    connectionsCheckingInterval: Math.min(5000, http.headersTimeout),
  }
  const server = certificate ? createSecureServer(options, certificate, handle) : createHttpServer(options, handle)
  keepAnswersMoving(server, kernel.config, kernel.log)
  return server
    .setTimeout(http.idleTimeout)
    .on('checkContinue', (req, res) => {
      // `100 Continue` is sent when the body is read, so a refusal can come before it.
      recordExpectation(req)
      handle(req, res)
    })
    .on('checkExpectation', handle)
    .on('clientError', refuse)
    .on('connect', refuseTunnel(kernel.log))
}

/** Creates the HTTPS server. New connections get a renewed certificate; open ones go on. */
function createSecureServer(
  options: ServerOptions,
  certificate: NonNullable<Kernel['certificate']>,
  handle: RequestListener,
): Server {
  const contextOf = ({ cert, key }: { cert: string; key: string }) => ({ cert, key, minVersion: 'TLSv1.2' as const })
  const server = createHttpsServer({ ...options, ...contextOf(certificate.current()) }, handle)
  certificate.follow((renewed) => server.setSecureContext(contextOf(renewed)))
  return server
}
