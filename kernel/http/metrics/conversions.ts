import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Kernel } from '../../boot/kernel.ts'
import { enginesOfRoute } from '../../catalogue/manifest/route.ts'
import type { Figures } from '../../events/events.ts'

/** Seconds. By default, a light conversion may take two minutes and a heavy one an hour. */
const BUCKETS = [0.1, 0.5, 2, 10, 60, 300, 1800, 7200]

/** Bytes: 16 MiB to 4 GiB. */
const MEMORY_BUCKETS = [16, 64, 256, 1024, 4096].map((size) => size * 1024 ** 2)

/** Counts how conversions end, how long they take, what their engines use, and how many wait. */
export function countConversions(
  { events, scheduler, catalogue }: Pick<Kernel, 'events' | 'scheduler' | 'catalogue'>,
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
  const cpu = new Counter({
    name: 'athanor_engine_cpu_seconds_total',
    help: 'CPU seconds of the runs of engines, as sampled: a lower bound.',
    labelNames: ['engine'],
    registers,
  })
  const memory = new Histogram({
    name: 'athanor_engine_memory_bytes',
    help: 'Peak resident memory of each run of an engine, all its processes together, as sampled: a lower bound.',
    labelNames: ['engine'],
    buckets: MEMORY_BUCKETS,
    registers,
  })
  // A rate needs the value before the first event.
  for (const { category, routes } of catalogue.plugins) {
    waited.zero({ category })
    ran.zero({ category })
    const failed = { status: 'failed', category, code: 'INTERNAL_SERVER_ERROR' }
    ended.inc({ ...failed, engine: 'none' }, 0)
    for (const { name: engine } of routes.flatMap(enginesOfRoute)) {
      ended.inc({ ...failed, engine }, 0)
      ended.inc({ status: 'completed', category, code: '', engine }, 0)
      cpu.inc({ engine }, 0)
    }
  }
  events.on('figures', ({ row: { category }, ending, engines, ...figures }: Figures) => {
    const code = ending.status === 'failed' ? ending.error_code : ''
    ended.inc({ status: ending.status, category, code, engine: engines.at(-1) ?? 'none' })
    waited.observe({ category }, figures.waited / 1000)
    if (figures.worked) ran.observe({ category }, figures.ran / 1000)
    for (const { engine, ...used } of figures.runs) {
      cpu.inc({ engine }, used.cpu)
      memory.observe({ engine }, used.memory)
    }
  })

  const gauge = (name: string, help: string, read: (jobs: ReturnType<typeof scheduler.ofKind>) => number) => {
    const made: Gauge = new Gauge({
      name,
      help,
      registers,
      labelNames: ['lane'],
      collect() {
        for (const kind of KINDS) made.set({ lane: kind }, read(scheduler.ofKind(kind)))
      },
    })
  }
  gauge('athanor_conversions_queued', 'Waiting conversions, by lane.', ({ waiting }) => waiting)
  gauge('athanor_conversions_processing', 'Running conversions, by lane.', ({ running }) => running)
  gauge('athanor_places', 'Conversions that this service runs at the same time, by lane.', ({ places }) => places)
  gauge(
    'athanor_queue_age_seconds',
    'How long the oldest waiting conversion has waited, by lane; 0: none waits.',
    ({ age }) => age / 1000,
  )
}

const KINDS = ['light', 'heavy'] as const
