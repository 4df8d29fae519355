import { randomUUID } from 'node:crypto'
import { Stream } from 'node:stream'
import type { Logger } from 'pino'
import { currentRequest } from '../log.ts'
import { type Context, isApiPath, type Middleware } from './context.ts'
import type { Metrics } from './metrics.ts'
import { familyOf } from './rate-families.ts'

/** Status in log and metrics of a request that its client gave up before the answer began, as nginx writes it. */
const CLIENT_CLOSED_REQUEST = 499

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

/** Answered so often that they are logged at debug level, unless they fail. */
const FREQUENT = new Set(['/api/conversions/:id', '/healthz', '/readyz', '/metrics'])

/**
 * Gives every request its id, a log line and a measurement. Never logs the query: it holds tokens. The line is there
 * before the client has the answer; for a stream when it is over.
 */
export function logRequests(log: Logger, metrics: Metrics): Middleware {
  return async (ctx, next) => {
    const { req, res } = ctx
    const given = req.headers['x-request-id']
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
    ctx.state.requestId = requestId
    res.setHeader('X-Request-Id', requestId)

    const started = performance.now()
    const written = req.socket.bytesWritten
    let recorded = false
    /** @param bytes Of the body; of a stream all that went out, headers included. */
    const record = (bytes: number, aborted: boolean) => {
      if (recorded) return
      recorded = true
      const ms = performance.now() - started
      const route = typeof ctx._matchedRoute === 'string' ? ctx._matchedRoute : undefined
      const { code, family = familyIn(ctx) } = ctx.state
      const status = aborted && !res.headersSent ? CLIENT_CLOSED_REQUEST : res.statusCode
      metrics.observe({ method: req.method!, route, status, seconds: ms / 1000, code, family })
      const level = levelOf(ctx, route)
      if (!log.isLevelEnabled(level)) return
      const where = route ? { route } : { path: withoutNames(ctx.path).slice(0, 200) }
      const { method } = req
      const took = Math.round(ms * 10) / 10
      log[level](
        { requestId, method, ...where, status, ...(code && { code }), ms: took, bytes, ...(aborted && { aborted }) },
        'request',
      )
    }
    res.once('close', () => record(req.socket.bytesWritten - written, !res.writableFinished))
    await currentRequest.run({ requestId }, next)
    if (ctx.respond === false || ctx.body instanceof Stream) return
    record(Number(res.getHeader('Content-Length') ?? 0), req.socket.destroyed)
  }
}

/** Keys of files end in the names that people gave them; a request that was refused before its route is known has them. */
const withoutNames = (path: string) => path.replace(/^(\/api\/files\/).+/, '$1…')

const familyIn = ({ method, path }: Context) => (isApiPath(path) ? familyOf(method, path) : undefined)

function levelOf({ req, res }: Context, route: string | undefined): 'debug' | 'info' | 'warn' {
  if (res.statusCode >= 500) return 'warn'
  return res.statusCode < 400 && req.method === 'GET' && route && FREQUENT.has(route) ? 'debug' : 'info'
}
