import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Kernel } from '../../boot/kernel.ts'
import type { Code } from '../../errors.ts'
import { FAMILY_NAMES, type RateFamily } from '../rates/families.ts'
import { countConversions } from './conversions.ts'
import { gaugeNodes } from './nodes.ts'
import { gaugeService } from './service.ts'

/** An answered request. */
export interface Answered {
  /** Id of the operation; undefined for requests that were refused before its handler ran. */
  operation: string | undefined
  status: number
  seconds: number
  /** Code of a refusal. */
  code: Code | undefined
  /** The rate family that counted it. */
  family: RateFamily | 'ceiling' | undefined
}

export type Metrics = ReturnType<typeof createMetrics>

/**
 * Milliseconds between two looks at the event loop's delay. Each wakes the process: with the default of 10, that took
 * most of the processor time of a service at rest. The delays that are shown include it.
 */
export const LOOP_INTERVAL = 100

/** Codes of refusals because of a limit. */
const LIMITS: ReadonlySet<Code | undefined> = new Set<Code>([
  'RATE_LIMITED',
  'QUOTA_EXCEEDED',
  'QUEUE_FULL_USER',
  'QUEUE_FULL_GLOBAL',
  'STORAGE_FULL',
])

/** Creates the metrics of one service, in a separate registry. Clients cannot choose values of labels. */
export function createMetrics(kernel: Kernel) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_INTERVAL })
  countConversions(kernel, registry)
  gaugeService(kernel, registry)
  if (kernel.cluster) gaugeNodes(kernel.cluster.membership, registry)
  const registers = [registry]
  const requests = new Histogram({
    name: 'athanor_http_request_duration_seconds',
    help: 'Answered HTTP requests by operation id of the OpenAPI document and class of status.',
    labelNames: ['operation', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers,
  })
  const refused = new Counter({
    name: 'athanor_refusals_total',
    help: 'Requests refused by a rate limit, a quota, a full queue or a full disk, by code and rate family.',
    labelNames: ['code', 'family'],
    registers,
  })
  for (const code of LIMITS) {
    for (const family of [...Object.keys(FAMILY_NAMES), 'ceiling', 'polling']) refused.inc({ code, family }, 0)
  }
  return {
    registry,
    /** Counts an answered request by its operation, never by its path. */
    observe({ operation = 'unknown', status, seconds, code, family }: Answered) {
      requests.observe({ operation, status: `${Math.floor(status / 100)}xx` }, seconds)
      if (LIMITS.has(code)) refused.inc({ code, family: family ?? 'polling' })
    },
  }
}
