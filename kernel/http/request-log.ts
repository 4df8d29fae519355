import { randomUUID } from 'node:crypto'
import { Stream } from 'node:stream'
import type { Kernel } from '../boot/kernel.ts'
import { currentRequest } from '../current-request.ts'
import { readTraceContext, traceIdOf } from '../tracing/trace-context.ts'
import { passThrough } from '../tracing/tracing.ts'
import { type Context, isApiPath, type Middleware } from './context.ts'
import type { Metrics } from './metrics/metrics.ts'

/** Status in log and metrics of a request that its client gave up before the answer began, as nginx writes it. */
const CLIENT_CLOSED_REQUEST = 499

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Gives every request its id, a log line, a measurement and, if it is traced, a span. Never logs the query, since it
 * holds tokens. Writes the line before the client has the answer; for a stream, at its end.
 */
export function logRequests({ log, tracing }: Kernel, metrics: Metrics): Middleware {
  return async (ctx, next) => {
    const { req, res } = ctx
    const given = req.headers['x-request-id']
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
    ctx.state.requestId = requestId
    ctx.set('X-Request-Id', requestId)

    // Probes and scrapes are no work that somebody waits for.
    const { begin } = isApiPath(ctx.path) ? tracing : passThrough
    const span = begin(req.method ?? '', { parent: readTraceContext(req.headers), kind: 'server' })
    const traced = span.context && { traceId: traceIdOf(span.context) }
    const started = performance.now()
    const written = req.socket.bytesWritten
    let recorded = false
    /** @param bytes Of the body; of a stream all that went out, headers included. */
    const record = (bytes: number, aborted: boolean) => {
      if (recorded) return
      recorded = true
      const ms = performance.now() - started
      const { code, family, reason, served } = ctx.state
      const status = aborted && !res.headersSent ? CLIENT_CLOSED_REQUEST : res.statusCode
      metrics.observe({ operation: served?.id, status, seconds: ms / 1000, code, family })
      const where = served ? { route: served.path } : { path: withoutNames(ctx.path).slice(0, 200) }
      const { method } = req
      const took = Math.round(ms * 10) / 10
      const refused = { ...(code && { code }), ...(reason && { reason }) }
      const answered = { status, ...refused, ms: took, bytes, ...(aborted && { aborted }) }
      log[levelOf(ctx)]({ requestId, ...traced, method, ...where, ...answered }, 'request')
      const route = served && { 'http.route': served.path }
      span.end({
        ...(served && { name: `${method} ${served.path}` }),
        attributes: { 'http.request.method': `${method}`, 'http.response.status_code': status, ...route },
        error: status >= 500 ? (code ?? `${status}`) : undefined,
      })
    }
    res.once('close', () => record(req.socket.bytesWritten - written, !res.writableFinished))
    await currentRequest.run({ requestId, trace: span.context }, next)
    if (ctx.respond === false || ctx.body instanceof Stream) return
    record(Number(res.getHeader('Content-Length') ?? 0), req.socket.destroyed)
  }
}

/** The path of a request that was refused before its handler ran. Storage keys end in names of people's files. */
const withoutNames = (path: string) => path.replace(/^(\/api\/files\/).+/, '$1…')

function levelOf({ res, state: { served } }: Context): 'debug' | 'info' | 'warn' {
  if (res.statusCode >= 500) return 'warn'
  return res.statusCode < 400 && served?.polled ? 'debug' : 'info'
}
