import helmet from 'koa-helmet'
import { isApiPath, type Middleware } from '../context.ts'

/** Sets the security headers of a service that sends JSON and attachments. A handler that sends a page sets its own. */
export const setSecurityHeaders = () =>
  helmet({
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
    // Its types add what another middleware sets on the context.
  }) as unknown as Middleware

/** Answers of the interface hold tokens and private records: caches store them only if the handler says so. */
export const forbidCaching: Middleware = (ctx, next) => {
  if (isApiPath(ctx.path)) ctx.set('Cache-Control', 'no-store')
  return next()
}
