import type { Logger } from 'pino'
import { isUnavailable } from '../../database/errors.ts'
import { isFull, ServiceError, storageFull } from '../../errors.ts'
import { answerBeforeEnd, hasLongBodyUnread } from '../connection/unread-body.ts'
import { type Context, type Middleware, sendJson } from '../context.ts'

/** Headers that describe a body which is not sent after all. */
const REPRESENTATION = [
  'Content-Type',
  'Content-Length',
  'Content-Encoding',
  'Content-Disposition',
  'ETag',
  'Last-Modified',
  'Location',
]

/** Maximum number of characters of a message, which may quote a long name. */
const MAX_MESSAGE = 500

/** Control characters, and those that reorder or hide text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * An error as clients see it. They may show its message in a terminal, and it can quote what somebody else has written.
 */
export function errorRecord({ message, code }: Pick<ServiceError, 'message' | 'code'>) {
  const shown = message.replace(UNPRINTABLE, '?')
  return { message: shown.length > MAX_MESSAGE ? `${shown.slice(0, MAX_MESSAGE - 1)}…` : shown, code }
}

/** The body of every 4xx and 5xx. */
export const errorBody = (error: Pick<ServiceError, 'message' | 'code'>) => ({ error: errorRecord(error) })

/**
 * Renders every error. It is the outermost middleware that answers, since Koa's own handler would delete the headers
 * that are set already. Unexpected errors are logged, not shown.
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
    // Too late for an answer. The closed connection tells the client that something is missing.
    ctx.respond = false
    res.destroy()
    return
  }
  const error = forClients(thrown, log)
  ctx.state.code = error.code
  // The line of the request tells why the machine cannot serve it now.
  if (asPassing(thrown)) ctx.state.reason = (thrown as Error).message
  for (const name of REPRESENTATION) res.removeHeader(name)
  if (error.code === 'UNAUTHORIZED') res.setHeader('WWW-Authenticate', 'Bearer realm="athanor"')
  if (error.retryAfter !== undefined) res.setHeader('Retry-After', Math.max(1, Math.ceil(error.retryAfter)))
  // The client still owes the rest of the body, so the connection cannot be used again.
  if (error.code === 'REQUEST_TIMEOUT') res.setHeader('Connection', 'close')
  const foreign = ctx.state.operation?.foreignError?.(ctx, error)
  if (foreign) {
    ctx.status = foreign.status
    ctx.type = 'text/plain; charset=UTF-8'
    ctx.body = errorRecord({ message: foreign.text, code: error.code }).message
  } else sendJson(ctx, errorBody(error), error.status)
  if (!hasLongBodyUnread(req)) return
  ctx.respond = false
  await answerBeforeEnd(req, res, Buffer.from(ctx.method === 'HEAD' ? '' : String(ctx.body)))
}

/** Returns the error that the client may read. Logs unexpected errors. */
export function forClients(thrown: unknown, log: Logger): ServiceError {
  if (thrown instanceof ServiceError && thrown.code !== 'INTERNAL_SERVER_ERROR') return thrown
  const passing = asPassing(thrown)
  if (passing) return passing
  log.error({ err: thrown }, 'request failed')
  if (thrown instanceof ServiceError) return thrown
  const message = 'Something went wrong on our side; try again later'
  return new ServiceError('INTERNAL_SERVER_ERROR', message, { cause: thrown })
}

/** Returns the refusal for a passing fault of the machine: the disk is full, or the database cannot be reached. */
function asPassing(cause: unknown): ServiceError | undefined {
  if (isFull(cause)) return storageFull(cause)
  if (isUnavailable(cause)) {
    const message = 'The service cannot reach its database or open files now; try again soon'
    return new ServiceError('NOT_READY', message, { retryAfter: 5, cause })
  }
  return undefined
}
