import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { Config } from '../../../config/config.ts'
import { ServiceError } from '../../errors.ts'
import { isLoopback } from '../../people/owner.ts'
import { errorBody } from '../answer/failure.ts'
import type { Metrics } from './metrics.ts'

/** A scraper must send its request within this time. */
const SCRAPE_TIMEOUT_MS = 10_000

/**
 * Reads the metrics for a client of the public port: with the token, if there is one. Without a token, only a service
 * in development on loopback gives them. Otherwise there seems to be no such path.
 *
 * @throws ServiceError NOT_FOUND, UNAUTHORIZED.
 */
export async function scrape(
  { registry }: Metrics,
  { metrics: { port, token }, mode, host }: Pick<Config, 'metrics' | 'mode' | 'host'>,
  authorization: string | undefined,
): Promise<string> {
  const isOpen = port === null && (token !== undefined || (mode === 'development' && isThisMachine(host)))
  if (!isOpen) throw new ServiceError('NOT_FOUND', 'There is nothing at this path; see GET /api/openapi.json')
  requireToken(authorization, token)
  return registry.metrics()
}

/** Creates the server of the metrics' own port. It answers GET /metrics in plain HTTP only. The caller listens. */
export function createMetricsServer({ registry }: Metrics, { metrics: { token } }: Pick<Config, 'metrics'>): Server {
  const options = {
    headersTimeout: SCRAPE_TIMEOUT_MS,
    requestTimeout: SCRAPE_TIMEOUT_MS,
    connectionsCheckingInterval: 1000,
  }
  return createServer(options, async ({ method, url, headers }, res) => {
    try {
      if (url?.split('?', 1)[0] !== '/metrics') throw new ServiceError('NOT_FOUND', 'There is only GET /metrics here')
      if (method !== 'GET') throw new ServiceError('METHOD_NOT_ALLOWED', 'Allowed: GET')
      requireToken(headers.authorization, token)
      res.setHeader('Content-Type', registry.contentType).end(await registry.metrics())
    } catch (thrown) {
      const error =
        thrown instanceof ServiceError ? thrown : new ServiceError('INTERNAL_SERVER_ERROR', 'Metrics cannot be read')
      res
        .writeHead(error.status, { 'Content-Type': 'application/json; charset=utf-8' })
        .end(JSON.stringify(errorBody(error)))
    }
  })
}

/** Whether a client sends the token of the metrics. False if there is none. */
export const hasMetricsToken = (authorization: string | undefined, token: string | undefined): boolean =>
  token !== undefined && timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`))

/** @throws ServiceError UNAUTHORIZED. */
function requireToken(authorization: string | undefined, token: string | undefined): void {
  if (token === undefined || hasMetricsToken(authorization, token)) return
  throw new ServiceError('UNAUTHORIZED', 'Metrics need Authorization: Bearer <token>, with the token of metrics.token')
}

/** Digests have one length, which the comparison needs. */
const digest = (text: string) => createHash('sha256').update(text).digest()

const isThisMachine = (host: string) => host === 'localhost' || isLoopback(host)
