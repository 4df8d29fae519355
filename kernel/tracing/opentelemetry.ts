import { setTimeout as delay } from 'node:timers/promises'
import { createTraceState, ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { TraceContext } from './trace-context.ts'
import type { Tracing } from './tracing.ts'

/** How long the end of the service waits for the collector. */
const FLUSH_TIMEOUT_MS = 2000

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT }

/**
 * Sends spans to the collector that the standard variables of OpenTelemetry name, by OTLP as JSON over HTTP. At most
 * 2,048 spans wait for a collector that is away; more are dropped.
 *
 * @param node Its name among several nodes. @param env Has `OTEL_TRACES_SAMPLER`; the packages read the others.
 */
export function createTracing({
  version,
  node,
  log,
  env,
}: {
  version: string
  node: string | undefined
  log: Logger
  env: NodeJS.ProcessEnv
}): Tracing {
  const { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: own, OTEL_EXPORTER_OTLP_PROTOCOL: protocol = 'http/json' } = env
  if ((own ?? protocol) === 'grpc') log.warn('OTEL_EXPORTER_OTLP_PROTOCOL: grpc is not supported; http/json is used')
  const service = { 'service.name': 'athanor', 'service.version': version }
  const resource = resourceFromAttributes({ ...service, ...(node !== undefined && { 'service.instance.id': node }) })
  const provider = new TracerProvider({
    resource: resource.merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(env),
    spanProcessors: [new BatchSpanProcessor({ exporter: announceAbsence(new OTLPTraceExporter(), log) })],
  })
  const tracer = provider.getTracer('athanor', version)
  return {
    begin(name, { parent, kind, since }) {
      const around = parent ? trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent)) : ROOT_CONTEXT
      const how = { kind: kind ? KINDS[kind] : SpanKind.INTERNAL, ...(since !== undefined && { startTime: since }) }
      const span = tracer.startSpan(name, how, around)
      return {
        context: contextOf(span.spanContext()),
        end({ attributes = {}, error, name: better } = {}) {
          if (better !== undefined) span.updateName(better)
          span.setAttributes(attributes)
          if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    close: () =>
      Promise.race([provider.shutdown().catch(() => {}), delay(FLUSH_TIMEOUT_MS, undefined, { ref: false })]),
  }
}

function spanContextOf({ traceparent, tracestate }: TraceContext): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
  const state = tracestate === null ? undefined : { traceState: createTraceState(tracestate) }
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true, ...state }
}

function contextOf({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
  const flags = traceFlags.toString(16).padStart(2, '0')
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, tracestate: traceState?.serialize() || null }
}

/** Makes the sampler that `OTEL_TRACES_SAMPLER` names (OpenTelemetry, SDK environment variables). */
function samplerOf({ OTEL_TRACES_SAMPLER: name = '', OTEL_TRACES_SAMPLER_ARG: ratio }: NodeJS.ProcessEnv): Sampler {
  const kind = name.replace(/^parentbased_/, '')
  const root =
    kind === 'traceidratio'
      ? new TraceIdRatioBasedSampler(ratio ? Number(ratio) : 1)
      : kind === 'always_off'
        ? new AlwaysOffSampler()
        : new AlwaysOnSampler()
  return kind === name && name !== '' ? root : new ParentBasedSampler({ root })
}

/** Logs once when the collector goes away, and once when it is back, however many batches fail meanwhile. */
function announceAbsence(exporter: SpanExporter, log: Logger): SpanExporter {
  let away = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined
        if (failed && !away) log.warn({ reason: result.error?.message }, 'the collector of traces is away')
        if (!failed && away) log.info('the collector of traces is back')
        away = failed
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}
