import cors from '@koa/cors'
import type { Kernel } from '../../boot/kernel.ts'
import { isApiPath, type Middleware, pass } from '../context.ts'

/** Headers that scripts of other origins may send beside the CORS-safelisted ones (Fetch standard). */
const REQUEST_HEADERS =
  'authorization,x-api-key,x-guest-fingerprint,x-team-id,x-request-id,idempotency-key,mcp-protocol-version,' +
  'traceparent,tracestate,' +
  'content-type,last-event-id,range,if-match,if-none-match,if-modified-since,if-unmodified-since,if-range,' +
  'tus-resumable,upload-length,upload-defer-length,upload-offset,upload-metadata,upload-checksum'

/** Headers that they may read. */
const RESPONSE_HEADERS =
  'Content-Disposition,Content-Length,Content-Range,Accept-Ranges,ETag,Location,X-Request-Id,Idempotency-Replayed,' +
  'RateLimit-Limit,RateLimit-Remaining,RateLimit-Reset,Retry-After,' +
  'X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset,' +
  'Tus-Resumable,Tus-Version,Tus-Extension,Tus-Max-Size,Tus-Checksum-Algorithm,' +
  'Upload-Offset,Upload-Length,Upload-Defer-Length,Upload-Metadata,Upload-Expires'

/** How long a browser keeps the answer of a preflight. */
const MAX_AGE_SECONDS = 600

/**
 * Lets scripts of the configured origins use the interface (Fetch standard, CORS protocol). By default there are none.
 * Scripts send their credential in a header, never in a cookie.
 */
export function allowOrigins({ config: { cors: allowed } }: Pick<Kernel, 'config'>): Middleware {
  if (!allowed.origins.length) return pass
  const any = allowed.origins.includes('*')
  const answer = cors({
    // An empty text refuses: the browser does not get the header that it needs.
    origin: (ctx) => (any ? '*' : allowed.origins.includes(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: RESPONSE_HEADERS,
    maxAge: MAX_AGE_SECONDS,
    // The middleware around this renders errors, with the headers that are set already.
    keepHeadersOnError: false,
  })
  return (ctx, next) => (isApiPath(ctx.path) ? answer(ctx as never, next) : next())
}
