import Koa from 'koa'
import type { Kernel } from '../boot/kernel.ts'
import { allowOrigins } from './answer/cors.ts'
import { renderFailures } from './answer/failure.ts'
import { forbidCaching, setSecurityHeaders } from './answer/security-headers.ts'
import { createStreams } from './connection/streams.ts'
import type { Additions, State } from './context.ts'
import { refuseInMaintenance, requireHttps, requireReadablePath } from './guards.ts'
import { refuseCrossOrigin } from './identity/cross-origin.ts'
import { identify } from './identity/identity.ts'
import { requireKnownHost } from './identity/known-host.ts'
import { recordOrigin } from './identity/origin.ts'
import type { Metrics } from './metrics/metrics.ts'
import { servePage } from './page.ts'
import { createRateLimits } from './rates/limits.ts'
import { createPlaces } from './request/places.ts'
import { createTus } from './request/tus.ts'
import { logRequests } from './request-log.ts'
import { resourcesOf } from './resources/index.ts'
import { createRouter } from './router.ts'

/** Creates the application: the middlewares that a request passes through, in the order of the contract. */
export function createApp(kernel: Kernel, metrics: Metrics): Koa<State, Additions> {
  const rates = createRateLimits(kernel)
  const places = createPlaces(kernel.config.http.downloads)
  const streams = createStreams(kernel)
  const identifyClient = identify(kernel)
  const router = createRouter(kernel, {
    metrics,
    resources: resourcesOf(kernel.config),
    places,
    streams,
    tus: createTus(kernel),
    identify: identifyClient,
    charge: rates.charge,
  })
  const app = new Koa<State, Additions>()
  app.context.timeouts = kernel.config.http
  // Errors that reach Koa come from clients that went away during an answer; the request's log line says so.
  app.on('error', (error) => kernel.log.debug({ err: error }, 'connection lost'))
  return (
    app
      .use(logRequests(kernel, metrics))
      .use(setSecurityHeaders())
      .use(forbidCaching)
      .use(renderFailures(kernel.log))
      .use(router.find)
      .use(allowOrigins(kernel))
      .use(recordOrigin(kernel))
      .use(rates.countRefused)
      .use(requireHttps(kernel))
      .use(requireKnownHost(kernel))
      .use(requireReadablePath)
      .use(servePage(kernel))
      .use(refuseCrossOrigin(kernel))
      .use(refuseInMaintenance(kernel))
      .use(identifyClient)
      // The owner is known, and no body has been read.
      .use(rates.limit)
      .use(router.dispatch)
      .use(router.refuse)
  )
}
