import helmet from 'koa-helmet'
import { type Context, isApiPath, type Middleware } from '../context.ts'

/**
 * Sets the security headers of a service that sends JSON and attachments. A handler that sends a page sets its own. The
 * headers are the same for every response, so helmet makes them once. Answers of the interface hold tokens and private
 * records, so caches must not store them unless the handler says otherwise.
 */
export function setSecurityHeaders(): Middleware {
  const headers: { name: string; value: string }[] = []
  const recorder = { setHeader: (name: string, value: string) => void headers.push({ name, value }), removeHeader() {} }
  const make = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    originAgentCluster: false,
    crossOriginOpenerPolicy: false,
  })
  // With fixed settings, helmet sets the headers before it returns.
  void make({ req: {}, res: recorder } as unknown as Context, async () => {})

  return (ctx, next) => {
    for (const { name, value } of headers) ctx.res.setHeader(name, value)
    if (isApiPath(ctx.path)) ctx.res.setHeader('Cache-Control', 'no-store')
    return next()
  }
}
