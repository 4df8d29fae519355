/** The context of a trace passes through, and spans reach a collector if there is one. */
import t, { type Test } from 'tap'
import { freePort } from '../harness/free-port.ts'
import { type CollectedSpan, startCollector } from '../harness/servers/collector.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { convert, get, post, type Service, serviceOf, startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { signUp } from './people.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const UNSAMPLED = TRACE.replace('4', '5')
const CALLER = '00f067aa0ba902b7'
const PARENT = `00-${TRACE}-${CALLER}-01`
const STATE = 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'

const change: NonNullable<Parameters<typeof startService>[0]>['change'] = (config) => {
  config.webhooks.allowNetworks = ['127.0.0.1']
}

/** Converts for a new account with an endpoint; resolves to what the endpoint gets, and to the conversion. */
async function convertWithWebhook(t: Test, service: Service, headers: Record<string, string>, options = {}) {
  const { session } = await signUp(service)
  const hook = await startOrigin((_req, res) => void res.writeHead(204).end())
  t.teardown(() => hook[Symbol.asyncDispose]())
  await post(service, '/api/webhooks', { url: `${hook.base}/hook?secret=7` }, session)
  const more = { fileName: 'Diary of Ms Roe.stub', options }
  const { conversion, download } = await convert(service, more, { ...session, ...headers })
  await until(() => hook.requests.length === 1)
  return { sent: hook.requests[0]!.headers, conversion, download }
}

t.test("without a collector, the client's context goes on to webhooks as it came", async (t) => {
  const service = await serviceOf(t, { change })
  const { sent, conversion } = await convertWithWebhook(t, service, { traceparent: PARENT, tracestate: STATE })
  t.match(sent, { traceparent: PARENT, tracestate: STATE })
  const lines = service.log.filter(({ traceId }) => traceId === TRACE)
  t.ok(lines.some((line) => line.msg === 'conversion' && line.conversion === conversion.id))
  t.ok(lines.some(({ msg, route }) => msg === 'request' && route === '/api/conversions'))
  const malformed = { traceparent: `01-${TRACE}-${CALLER}-01-x`, tracestate: 'bad key=1' }
  const other = await convertWithWebhook(t, service, malformed)
  t.match(other.sent, { traceparent: PARENT, tracestate: undefined })
})

t.test('with a collector', async (t) => {
  const collector = await startCollector()
  t.teardown(() => collector[Symbol.asyncDispose]())
  const service = await startService({ change, env: collector.env })
  const followed = await convertWithWebhook(t, service, { traceparent: PARENT, tracestate: STATE })
  const own = await convertWithWebhook(
    t,
    service,
    { traceparent: `00-${'0'.repeat(32)}-${CALLER}-01` },
    { fail: 'crash' },
  )
  await get(service, followed.download, { traceparent: PARENT })
  await get(service, '/readyz', { traceparent: PARENT })
  await get(service, '/api/formats', { traceparent: `00-${UNSAMPLED}-${CALLER}-00` })
  // What has not been sent yet goes out at the end.
  await service[Symbol.asyncDispose]()

  const named = (name: string, trace = TRACE) =>
    collector.spans.filter((span) => span.name === name && span.traceId === trace)
  const only = (name: string, trace = TRACE): CollectedSpan => {
    t.equal(named(name, trace).length, 1, name)
    return named(name, trace)[0]!
  }

  t.test('one conversion is one trace, from the request of the client to its webhook', async (t) => {
    const request = only('POST /api/conversions')
    t.match(request, { kind: 2, parentSpanId: CALLER, traceState: STATE, status: {} })
    t.match(request.attributes, { 'http.request.method': 'POST', 'http.response.status_code': 201 })
    t.match(request.resource, { 'service.name': 'athanor', 'service.version': /^\d/ })
    const conversion = only('conversion')
    t.match(conversion.attributes, { 'athanor.pair': 'stub>bust', 'athanor.status': 'completed' })
    const hook = only('webhook conversion.completed')
    t.match(hook, { kind: 3, attributes: { 'http.response.status_code': 204 } })
    for (const span of [only('queue'), conversion, hook]) t.equal(span.parentSpanId, request.spanId, span.name)
    for (const name of ['storage check-out', 'engine scribe', 'storage publish']) {
      t.equal(only(name).parentSpanId, conversion.spanId, name)
    }
    t.match(followed.sent, { traceparent: `00-${TRACE}-${hook.spanId}-01`, tracestate: STATE })
    const upload = only('POST /api/uploads')
    for (const name of ['storage stage', 'storage keep']) t.equal(only(name).parentSpanId, upload.spanId, name)
    t.equal(only('storage read').parentSpanId, only('GET /api/files/:id/download').spanId)
    for (const span of collector.spans) t.ok(BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano), span.name)
  })

  t.test('a malformed context counts as none: the request begins a trace', async (t) => {
    const trace = /^00-(\w{32})-/.exec(`${own.sent.traceparent}`)?.[1]
    t.not(trace, TRACE)
    t.notOk(only('POST /api/conversions', trace).parentSpanId)
    t.match(only('conversion', trace), {
      status: { code: 2 },
      attributes: { 'error.type': own.conversion.error.code, 'athanor.status': 'failed' },
    })
    t.match(only('engine scribe', trace).status, { code: 2 })
  })

  t.test(
    'spans tell nothing of whose it is, and probes and traces that the caller does not sample make none',
    async (t) => {
      t.same(named('GET /api/formats', UNSAMPLED), [])
      t.notMatch(JSON.stringify(collector.spans), /Diary|Roe|secret|token|uploads\/2|user_|@|\/tmp|"path/)
      t.notMatch(JSON.stringify(collector.spans), /readyz/)
    },
  )
})

t.test('a collector that is away costs a line of the log', async (t) => {
  process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '500'
  t.teardown(() => delete process.env.OTEL_EXPORTER_OTLP_TIMEOUT)
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${await freePort()}`
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = OTEL_EXPORTER_OTLP_ENDPOINT
  t.teardown(() => delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT)
  const service = await startService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT } })
  t.match(await convert(service), { conversion: { status: 'completed' } })
  await service[Symbol.asyncDispose]()
  t.match(
    service.log.filter(({ msg }) => `${msg}`.includes('collector')),
    [{ level: 40, msg: 'the collector of traces is away', reason: /ECONNREFUSED/ }],
  )
})
