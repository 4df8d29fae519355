/** One entry in one file is an endpoint: here a stream with its own parameter and header, which no other file knows. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import Koa from 'koa'
import t from 'tap'
import { createStreams } from '../../kernel/http/connection/streams.ts'
import { type Additions, pass, type State } from '../../kernel/http/context.ts'
import { endpoint, type Resource, SENT } from '../../kernel/http/endpoint.ts'
import { createDocument } from '../../kernel/http/openapi/document.ts'
import { createPlaces } from '../../kernel/http/request/places.ts'
import { createRouter } from '../../kernel/http/router.ts'
import { serviceOf } from '../harness/service.ts'

const stars: Resource = {
  tag: 'Operating',
  endpoints: [
    endpoint('GET', '/api/stars/:name', {
      id: 'watchStar',
      authentication: 'optional',
      rate: 'downloads',
      summary: 'Watch a star',
      description: 'Streams what the star does.',
      parameters: [
        { name: 'name', in: 'path', description: 'The name of the star.' },
        { name: 'last-event-id', in: 'header', description: 'The last event that the client has.' },
      ],
      query: { type: 'object', properties: { nights: { type: 'integer', minimum: 1, description: 'How many.' } } },
      answer: {
        status: 200,
        description: 'Events.',
        media: 'text/event-stream',
        ownHeaders: { 'x-magnitude': 'How bright the star is.' },
      },
      handle: (_kernel, { ctx, params, query: { nights = 1 } }) => {
        ctx.set({ 'Content-Type': 'text/event-stream', 'X-Magnitude': '4' })
        ctx.body = Readable.from(Array.from({ length: nights }, () => `data: ${params.name}\n\n`))
        return SENT
      },
    }),
  ],
}

const service = await serviceOf(t)

t.test('the endpoint is served', async (t) => {
  const router = createRouter(service.kernel, {
    metrics: {} as never,
    resources: [stars],
    places: createPlaces(1),
    streams: createStreams(service.kernel),
    tus: {} as never,
    identify: pass,
    charge: async () => {},
  })
  const families: unknown[] = []
  const app = new Koa<State, Additions>().use(router.find).use((ctx, next) => {
    families.push(ctx.state.family)
    return next()
  })
  const server = app.use(router.dispatch).listen(0, '127.0.0.1')
  app.silent = true
  t.teardown(() => void server.close())
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answer = await fetch(`${base}/api/stars/Vega?nights=2`)
  t.equal(await answer.text(), 'data: Vega\n\ndata: Vega\n\n')
  t.equal((await fetch(`${base}/api/stars/Vega?nights=0`)).status, 400, 'a bad query is refused')
  t.strictSame(families, ['downloads', 'downloads'])
})

t.test('the document describes it', async (t) => {
  const { paths } = createDocument(service.kernel, [stars]) as any
  const { operationId, parameters, responses } = paths['/api/stars/{name}'].get
  t.equal(operationId, 'watchStar')
  t.match(parameters, [
    { name: 'name', in: 'path', required: true },
    { name: 'last-event-id', in: 'header' },
    { name: 'nights', in: 'query' },
  ])
  t.match(responses[200], {
    headers: { 'x-magnitude': { description: 'How bright the star is.' } },
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  t.ok(responses[400], 'a bad query is refused')
})
