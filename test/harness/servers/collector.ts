import { json } from 'node:stream/consumers'
import { startOrigin } from './origin.ts'

/** A span, as OTLP writes it in JSON. */
export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  traceState?: string
  name: string
  /** 1 internal, 2 server, 3 client. */
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Record<string, unknown>
  /** Code 2 is an error. */
  status: { code?: number }
  /** Attributes of the service that sent it. */
  resource: Record<string, unknown>
}

const plain = (list: { key: string; value: object }[] = []) =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]))

/** Starts a collector of OpenTelemetry, and lets services that start from now on send their spans to it. */
export async function startCollector() {
  const spans: CollectedSpan[] = []
  const origin = await startOrigin(async (req, res) => {
    for (const { resource, scopeSpans } of ((await json(req)) as any).resourceSpans) {
      for (const span of scopeSpans.flatMap(({ spans }: { spans: object[] }) => spans)) {
        spans.push({ ...span, attributes: plain(span.attributes), resource: plain(resource.attributes) })
      }
    }
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = origin.base
  return {
    spans,
    requests: origin.requests,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: origin.base },
    async [Symbol.asyncDispose]() {
      delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
      await origin[Symbol.asyncDispose]()
    },
  }
}
