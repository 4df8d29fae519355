import { notReady, type Parts } from '../answer/not-ready.ts'
import { flag, record, text } from '../answer/response-schema.ts'
import { shape } from '../answer/shape.ts'
import { endpoint, ok, type Resource } from '../endpoint.ts'

const life = shape(
  'Life',
  record({ status: { const: 'ok' } }),
  () => ({ status: 'ok' }),
  () => undefined,
)

const readiness = shape(
  'Readiness',
  record({
    status: { const: 'ready' },
    parts: {
      type: 'object',
      additionalProperties: record({ ok: flag('Works.'), detail: text('For people.') }, ['detail']),
    },
  }),
  ({ parts }: { parts: Parts }) => ({ status: 'ready', parts }),
  () => ({
    parts: {
      ...{ database: { ok: true }, storage: { ok: true }, queue: { ok: true, detail: '0 waiting, 0 processing' } },
      ...{ engines: { ok: true, detail: '24 found' }, maintenance: { ok: true, detail: 'off' } },
    },
  }),
)

export const health: Resource = {
  tag: 'Operating',
  endpoints: [
    endpoint({
      ...{ method: 'GET', path: '/healthz', id: 'getHealth', authentication: 'none', rate: 'none' },
      ...{ polled: true, plainHttp: true, anyHost: true },
      summary: 'Whether the process answers',
      description: 'For a probe that restarts the process. It does not look at the database or the storage.',
      answer: ok('It does.', life),
      handle: () => () => undefined,
    }),
    endpoint({
      ...{ method: 'GET', path: '/readyz', id: 'getReadiness', authentication: 'none', rate: 'none' },
      ...{ polled: true, plainHttp: true, anyHost: true },
      summary: 'Whether everything that work needs is there',
      description: 'For a load balancer: checks the database, the storage and the queue.',
      answer: ok('It is.', readiness),
      refusals: ['NOT_READY'],
      handle: (kernel) => async () => {
        const { ready, parts } = await kernel.health()
        if (!ready) throw notReady(parts)
        return { parts }
      },
    }),
  ],
}
