import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Code } from '../errors.ts'
import type { Kernel } from '../kernel.ts'
import { countConversions } from './metrics-of-conversions.ts'
import { gaugeService } from './metrics-of-service.ts'
import { operations } from './operations.ts'
import type { Family } from './rate-families.ts'

/** An answered request. */
export interface Answered {
  method: string
  /** The route's template; undefined: none matched. */
  route: string | undefined
  status: number
  seconds: number
  /** Of a refusal. */
  code: Code | undefined
  /** Whose limits it was judged by. */
  family: Family | 'ceiling' | undefined
}

export interface Metrics {
  registry: Registry
  /** Counts an answered request by its operation, never by its path. */
  observe(answered: Answered): void
}

/** Refusals that say that a limit is reached. */
const LIMITS: ReadonlySet<Code | undefined> = new Set<Code>([
  ...(['RATE_LIMITED', 'QUOTA_EXCEEDED', 'QUEUE_FULL_USER', 'QUEUE_FULL_GLOBAL', 'STORAGE_FULL'] as const),
])

/** The figures of one service, in a registry of its own. No label has a value that a client chooses. */
export function createMetrics(kernel: Kernel): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  countConversions(kernel, registry)
  gaugeService(kernel, registry)
  const registers = [registry]
  const requests = new Histogram({
    name: 'athanor_http_request_duration_seconds',
    help: 'Answered HTTP requests by operation, as the OpenAPI document names it, and class of status.',
    labelNames: ['operation', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers,
  })
  const refused = new Counter({
    name: 'athanor_refusals_total',
    help: 'Requests refused by a rate, a quota or a full queue or disk, by code and family of the request.',
    labelNames: ['code', 'family'],
    registers,
  })
  const names = new Map(operations([]).map(({ method, path, id }) => [`${method} ${path}`, id]))
  const known = new Map<string, Histogram.Internal<string>>()
  return {
    registry,
    observe({ method, route, status, seconds, code, family }) {
      const operation = names.get(`${method === 'HEAD' ? 'GET' : method} ${route}`) ?? 'unknown'
      const labels = { operation, status: `${Math.floor(status / 100)}xx` }
      // Labels are looked up once: it happens with every request.
      const key = `${labels.operation} ${labels.status}`
      let series = known.get(key)
      if (!series) known.set(key, (series = requests.labels(labels)))
      series.observe(seconds)
      if (LIMITS.has(code)) refused.inc({ code, family: family ?? 'polling' })
    },
  }
}
