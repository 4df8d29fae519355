import { endpoint, type Resource } from '../endpoint.ts'
import { createScrape } from '../metrics/access.ts'

export const metrics: Resource = {
  tag: 'Operating',
  endpoints: [
    endpoint({
      method: 'GET',
      path: '/metrics',
      id: 'getMetrics',
      authentication: 'none',
      rate: 'none',
      polled: true,
      plainHttp: true,
      summary: 'Show metrics',
      description: 'For Prometheus, in its text format.',
      answer: { status: 200, description: 'The metrics.', media: 'text/plain' },
      refusals: ['UNAUTHORIZED', 'NOT_FOUND'],
      handle: ({ config }, { metrics }) => {
        const scrape = createScrape(metrics, config)
        return async ({ ctx }) => {
          ctx.body = await scrape(ctx.req.headers.authorization)
          ctx.set('Content-Type', metrics.registry.contentType)
          ctx.set('Cache-Control', 'no-store')
        }
      },
    }),
  ],
}
