import type { Logger } from 'pino'
import { isUnavailable } from '../database/unavailable.ts'
import { isFull, ServiceError, storageFull } from '../errors.ts'
import { answerBeforeEnd, hasLongBodyUnread } from './body.ts'
import { type Context, type Middleware, sendJson } from './context.ts'

/** What describes a file that is not sent after all. */
const REPRESENTATION = [
  'Content-Type',
  'Content-Length',
  'Content-Encoding',
  'Content-Disposition',
  'ETag',
  'Last-Modified',
  'Location',
]

/** The body of every 4xx and 5xx. */
export const errorBody = (error: Pick<ServiceError, 'message' | 'code'>) =>
  JSON.stringify({ error: { message: error.message, code: error.code } })

/**
 * Renders every error. The outermost middleware that answers: Koa's own handler would delete the headers that are set
 * already. What is no ServiceError is a mistake of ours: it is logged, and the client learns nothing of it.
 */
export function renderFailures(log: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      await render(ctx, error, log)
    }
  }
}

async function render(ctx: Context, thrown: unknown, log: Logger): Promise<void> {
  const { req, res } = ctx
  if (res.headersSent || req.socket.destroyed) {
    // Nobody to answer, or too late: a cut connection tells the client that something is missing.
    ctx.respond = false
    res.destroy()
    return
  }
  const error = forClients(thrown, log)
  ctx.state.code = error.code
  for (const name of REPRESENTATION) res.removeHeader(name)
  if (error.code === 'UNAUTHORIZED') res.setHeader('WWW-Authenticate', 'Bearer realm="athanor"')
  if (error.retryAfter !== undefined) res.setHeader('Retry-After', Math.max(1, Math.ceil(error.retryAfter)))
  // The rest of the body is still owed: nothing else can come on this connection.
  if (error.code === 'REQUEST_TIMEOUT') res.setHeader('Connection', 'close')
  sendJson(ctx, errorBody(error), error.status)
  if (!hasLongBodyUnread(req)) return
  ctx.respond = false
  await answerBeforeEnd(req, res, Buffer.from(ctx.method === 'HEAD' ? '' : errorBody(error)))
}

/** The error that the client may read. What is none is logged. */
export function forClients(thrown: unknown, log: Logger): ServiceError {
  if (thrown instanceof ServiceError && thrown.code !== 'INTERNAL_SERVER_ERROR') return thrown
  const passing = asPassing(thrown)
  if (passing) {
    log.warn({ err: thrown }, 'request refused for now')
    return passing
  }
  log.error({ err: thrown }, 'request failed')
  if (thrown instanceof ServiceError) return thrown
  return new ServiceError('INTERNAL_SERVER_ERROR', 'Something went wrong on our side; try again later', {
    cause: thrown,
  })
}

/** What is wrong with the machine around the service, and passes: no mistake of ours, and worth another try. */
function asPassing(cause: unknown): ServiceError | undefined {
  if (isFull(cause)) return storageFull(cause)
  if (isUnavailable(cause)) {
    const message = 'The service cannot reach its database or open files now; try again soon'
    return new ServiceError('NOT_READY', message, { retryAfter: 5, cause })
  }
  return undefined
}
