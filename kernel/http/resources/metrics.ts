import { endpoint, type Resource, SENT } from '../endpoint.ts'
import { scrape } from '../metrics/access.ts'

export const metrics: Resource = {
  tag: 'Operating',
  endpoints: [
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
