import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ConversionEnd } from '../jobs/events.ts'
import type { Kernel } from '../kernel.ts'
import type { Handler } from './context.ts'

export interface Metrics {
  registry: Registry
  /** Counts an answered request by its route's template, never by its path. */
  observe(method: string, route: string, status: number, seconds: number): void
}

/** The figures of one service, in a registry of its own. */
export function createMetrics({ scheduler, events }: Kernel): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'athanor_http_request_duration_seconds',
    help: 'Answered HTTP requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers,
  })
  const known = new Map<string, Histogram.Internal<string>>()
  const ended = new Counter({
    name: 'athanor_conversions_total',
    help: 'Ended conversions by status, category and failure code.',
    labelNames: ['status', 'category', 'code'],
    registers,
  })
  const took = new Histogram({
    name: 'athanor_conversion_duration_seconds',
    help: 'Time from the request of a conversion to its end.',
    labelNames: ['category'],
    buckets: [0.1, 0.5, 2, 10, 60, 300, 1800, 7200],
    registers,
  })
  events.on('ended', ({ status, category, code, took: milliseconds }: ConversionEnd) => {
    ended.inc({ status, category, code: code ?? '' })
    took.observe({ category }, milliseconds / 1000)
  })
  for (const [state, read] of [
    ['queued', scheduler.depth],
    ['processing', scheduler.running],
  ] as const) {
    const gauge: Gauge = new Gauge({
      name: `athanor_conversions_${state}`,
      help: `Conversions that are ${state} now.`,
      registers,
      collect: () => gauge.set(read()),
    })
  }
  return {
    registry,
    observe(method, route, status, seconds) {
      // Labels are looked up once: their values are few, as routes are templates and Node knows the methods.
      const key = `${method} ${route} ${status}`
      let series = known.get(key)
      if (!series) known.set(key, (series = requests.labels({ method, route, status })))
      series.observe(seconds)
    },
  }
}

/** GET /metrics, in the text format of Prometheus. */
export function reportMetrics({ registry }: Metrics): Handler {
  return async (ctx) => {
    const text = await registry.metrics()
    ctx.set('Content-Type', registry.contentType)
    ctx.body = text
  }
}
