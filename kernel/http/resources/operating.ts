import type { Kernel } from '../../boot/kernel.ts'
import { flag, record, text } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import type { Context } from '../context.ts'
import { endpoint, ok, type Resource, SENT } from '../endpoint.ts'
import { type HealthParts, isAtHome, notReady } from '../guards.ts'
import { hasMetricsToken, scrape } from '../metrics/access.ts'

const life = envelope(
  record({ status: { const: 'ok' } }),
  () => ({ status: 'ok' }),
  () => undefined,
)

const readiness = envelope(
  record({
    status: { const: 'ready' },
    parts: {
      type: 'object',
      additionalProperties: record({ ok: flag('Whether the part works.'), detail: text('More, for people.') }, [
        'detail',
      ]),
    },
  }),
  ({ parts }: { parts: HealthParts }) => ({ status: 'ready', parts }),
  () => ({
    parts: {
      database: { ok: true },
      storage: { ok: true },
      queue: { ok: true, detail: '0 waiting, 0 processing' },
      engines: { ok: true, detail: '24 found' },
      maintenance: { ok: true, detail: 'off' },
    },
  }),
)

/** Whether a client may know numbers and versions of nodes, and what is missing. */
const isOperator = ({ config }: Kernel, { req, state }: Context) =>
  isAtHome(state.origin) || hasMetricsToken(req.headers.authorization, config.metrics.token)

const withoutDetails = (parts: HealthParts): HealthParts =>
  Object.fromEntries(Object.entries(parts).map(([name, { ok }]) => [name, { ok }]))

export const operating: Resource = {
  tag: 'Operating',
  endpoints: [
    endpoint('GET', '/healthz', {
      id: 'getHealth',
      authentication: 'none',
      rate: 'none',
      polled: true,
      plainHttp: true,
      anyHost: true,
      summary: 'Check that the process runs',
      description: 'For probes that restart the process. It does not check the database or the storage.',
      answer: ok('It runs.', life),
      handle: () => undefined,
    }),
    endpoint('GET', '/readyz', {
      id: 'getReadiness',
      authentication: 'none',
      rate: 'none',
      polled: true,
      plainHttp: true,
      anyHost: true,
      summary: 'Check that the service is ready',
      description:
        'For load balancers. Checks the database, the storage, the queue and the engines. Details are for clients with a private address or the token of the metrics.',
      answer: ok('Ready.', readiness),
      refusals: ['NOT_READY'],
      handle: async (kernel, { ctx }) => {
        const { ready, parts } = await kernel.health()
        const shown = isOperator(kernel, ctx) ? parts : withoutDetails(parts)
        if (!ready) throw notReady(shown)
        return { parts: shown }
      },
    }),
    endpoint('GET', '/metrics', {
      id: 'getMetrics',
      authentication: 'none',
      rate: 'none',
      polled: true,
      plainHttp: true,
      summary: 'Show metrics',
      description: 'For Prometheus, in its text format.',
      answer: { status: 200, description: 'The metrics.', media: 'text/plain' },
      refusals: ['UNAUTHORIZED', 'NOT_FOUND'],
      handle: async ({ config }, { ctx }, { metrics }) => {
        ctx.body = await scrape(metrics, config, ctx.req.headers.authorization)
        ctx.set('Content-Type', metrics.registry.contentType)
        ctx.set('Cache-Control', 'no-store')
        return SENT
      },
    }),
  ],
}
