import cors from '@koa/cors'
import type { Kernel } from '../../kernel.ts'
import { isApiPath, type Middleware } from '../context.ts'

/** What scripts of other origins may send beside what every page may (Fetch standard, CORS-safelisted headers). */
const REQUEST_HEADERS = [
  ...['authorization', 'x-api-key', 'x-guest-fingerprint', 'x-team-id', 'x-request-id'],
  ...['content-type', 'range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'],
]

/** What they may read. */
const RESPONSE_HEADERS = [
  ...['Content-Disposition', 'Content-Length', 'Content-Range', 'Accept-Ranges', 'ETag', 'Location', 'X-Request-Id'],
  ...['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After'],
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
]

/** Seconds that a browser remembers what it may send. */
const MAX_AGE = 600

/**
 * Lets scripts of the configured origins use the interface (Fetch standard, CORS protocol); of none by default. No
 * cookie is involved: they send their credential in a header.
 */
export function allowOrigins({ config: { cors: allowed } }: Pick<Kernel, 'config'>): Middleware {
  if (!allowed.origins.length) return (_ctx, next) => next()
  const any = allowed.origins.includes('*')
  const answer = cors({
    // An empty text refuses: the browser misses the header that it asks for.
    origin: (ctx) => (any ? '*' : allowed.origins.includes(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    allowMethods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: RESPONSE_HEADERS,
    maxAge: MAX_AGE,
    // Errors are rendered around this, with the headers that are set already.
    keepHeadersOnError: false,
  })
  return (ctx, next) => (isApiPath(ctx.path) ? answer(ctx as never, next as never) : next())
}
