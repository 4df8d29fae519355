import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { currentRequest } from '../log.ts'
import type { Context, Middleware } from './context.ts'
import type { Metrics } from './metrics.ts'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

/** Answered so often that they are logged at debug level, unless they fail. */
const FREQUENT = new Set(['/api/conversions/:id', '/healthz', '/readyz', '/metrics'])

/** Gives every request its id, and when it is over a log line and a measurement. Never logs the query: it holds tokens. */
export function logRequests(log: Logger, metrics: Metrics): Middleware {
  return (ctx, next) => {
    const { req, res } = ctx
    const given = req.headers['x-request-id']
    const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
    ctx.state.requestId = id
    res.setHeader('X-Request-Id', id)

    const started = performance.now()
    const written = req.socket.bytesWritten
    res.once('close', () => {
      const ms = performance.now() - started
      const route = typeof ctx._matchedRoute === 'string' ? ctx._matchedRoute : undefined
      metrics.observe(req.method!, route ?? 'unknown', res.statusCode, ms / 1000)
      const level = levelOf(ctx, route)
      if (!log.isLevelEnabled(level)) return
      log[level](
        {
          requestId: id,
          method: req.method,
          route,
          ...(!route && { path: ctx.path.slice(0, 200) }),
          status: res.statusCode,
          ms: Math.round(ms * 10) / 10,
          bytes: req.socket.bytesWritten - written,
          ...(!res.writableFinished && { aborted: true }),
        },
        'request',
      )
    })
    return currentRequest.run({ requestId: id }, next)
  }
}

function levelOf({ req, res }: Context, route: string | undefined): 'debug' | 'info' | 'warn' {
  if (res.statusCode >= 500) return 'warn'
  return res.statusCode < 400 && req.method === 'GET' && route && FREQUENT.has(route) ? 'debug' : 'info'
}
