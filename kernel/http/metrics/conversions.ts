import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Kernel } from '../../boot/kernel.ts'
import type { Report } from '../../events/events.ts'

/** Seconds. By default, a light conversion may take two minutes and a heavy one an hour. */
const BUCKETS = [0.1, 0.5, 2, 10, 60, 300, 1800, 7200]

/** Counts how conversions end, how long they take, and how many wait. */
export function countConversions(
  { events, scheduler }: Pick<Kernel, 'events' | 'scheduler'>,
  registry: Registry,
): void {
  const registers = [registry]
  const ended = new Counter({
    name: 'athanor_conversions_total',
    help: 'Ended conversions by category, last engine, status and error code.',
    labelNames: ['status', 'category', 'code', 'engine'],
    registers,
  })
  const waited = new Histogram({
    name: 'athanor_conversion_wait_seconds',
    help: 'Time from the request of a conversion to its start.',
    labelNames: ['category'],
    buckets: BUCKETS,
    registers,
  })
  const ran = new Histogram({
    name: 'athanor_conversion_run_seconds',
    help: 'Time from the start of a conversion to its end, for started conversions.',
    labelNames: ['category'],
    buckets: BUCKETS,
    registers,
  })
  events.on('reported', ({ row: { category }, ending, engines, ...report }: Report) => {
    const code = ending.status === 'failed' ? ending.error_code : ''
    ended.inc({ status: ending.status, category, code, engine: engines.at(-1) ?? 'none' })
    waited.observe({ category }, report.waited / 1000)
    if (report.worked) ran.observe({ category }, report.ran / 1000)
  })

  const gauge = (name: string, help: string, read: (lane: Lane) => number) => {
    const made: Gauge = new Gauge({
      name,
      help,
      registers,
      labelNames: ['lane'],
      collect() {
        for (const lane of LANES) made.set({ lane }, read(lane))
      },
    })
  }
  gauge('athanor_conversions_queued', 'Waiting conversions, by lane.', (lane) => scheduler.lane(lane).waiting)
  gauge('athanor_conversions_processing', 'Running conversions, by lane.', (lane) => {
    return scheduler.lane(lane).running
  })
  gauge(
    'athanor_queue_age_seconds',
    'How long the oldest waiting conversion has waited, by lane; 0: none waits.',
    (lane) => {
      return scheduler.lane(lane).age / 1000
    },
  )
}

const LANES = ['light', 'heavy'] as const
type Lane = (typeof LANES)[number]
