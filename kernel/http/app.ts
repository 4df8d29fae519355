import Koa from 'koa'
import type { Kernel } from '../kernel.ts'
import type { Context, State } from './context.ts'
import { allowOrigins } from './cors.ts'
import { renderFailures } from './failure.ts'
import { refuseInMaintenance, requireHttps, requireReadablePath } from './guards.ts'
import { identify } from './identity.ts'
import { requireKnownHost } from './known-host.ts'
import type { Metrics } from './metrics.ts'
import { noteOrigin } from './origin.ts'
import { createRateLimits } from './rate-limits.ts'
import { logRequests } from './request-log.ts'
import { refuseUnrouted, routeRequests } from './routes.ts'
import { setSecurityHeaders } from './security-headers.ts'

/** The application: what a request passes through, in the order of the contract. */
export function createApp(kernel: Kernel, metrics: Metrics): Koa<State> {
  const rates = createRateLimits(kernel)
  const app = new Koa<State>()
  Object.assign(app.context, { patience: kernel.config.http } satisfies Pick<Context, 'patience'>)
  // Errors that reach Koa come from clients that went away during an answer; the log line of the request tells.
  app.on('error', (error) => kernel.log.debug({ err: error }, 'connection lost'))
  const middlewares = [
    logRequests(kernel.log, metrics),
    setSecurityHeaders(),
    renderFailures(kernel.log),
    allowOrigins(kernel),
    noteOrigin(kernel),
    rates.countRefused,
    requireHttps(kernel),
    requireKnownHost(kernel),
    requireReadablePath,
    refuseInMaintenance(kernel),
    identify(kernel),
    // The owner is known, and no body has been read.
    rates.limit,
    routeRequests(kernel, metrics),
    refuseUnrouted,
  ]
  for (const middleware of middlewares) app.use(middleware as Koa.Middleware<State>)
  return app
}
