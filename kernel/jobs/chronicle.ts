import { constants } from 'node:os'
import type { Ending } from '../database/tables/conversion-claims.ts'
import type { ConversionRow } from '../database/tables/conversions.ts'
import type { ConversionEnd, Figures } from '../events/events.ts'
import type { RunAccount } from '../sandbox/process/account.ts'
import { type TraceContext, traceIdOf, traceOf } from '../tracing/trace-context.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { JobNeeds } from './needs.ts'
import { createFindings, legible, type Work } from './work.ts'

/** The work on one conversion. */
export interface ChronicleEntry extends Work {
  /** Where the work belongs in a trace. */
  readonly trace: TraceContext | undefined
  /** Records an engine's run after it has ended. */
  onRun: (run: RunAccount) => void
  /** Call this after the last engine has stopped and before the end is recorded. */
  settle(): void
  /** Closes the entry, whether the conversion has ended or returns to the queue. */
  close(): void
}

/** Logs one line for each ended conversion, and emits its `figures`. Records the spans of each attempt. */
export interface Chronicle {
  open(row: ConversionRow): ChronicleEntry
}

interface Entry extends Work {
  runs: RunAccount[]
  waited: number
  began: number
  settled: boolean
  /** How it has ended, once that is recorded. */
  ending?: Ending
  /** Its end, until it is reported. */
  end?: ConversionEnd
}

export function createChronicle({ events, tracing, log }: JobNeeds): Chronicle {
  const entries = new Map<string, Entry>()

  events.on('ended', (end) => {
    const entry = entries.get(end.row.id)
    if (entry) entry.ending = end.ending
    // If the conversion was cancelled, its processes are still being killed and their usage is not known yet.
    if (entry && !entry.settled) entry.end = end
    else report(end, entry)
  })

  function report(end: ConversionEnd, entry?: Entry): void {
    const { row } = end
    const runs = entry?.runs ?? []
    const figures: Figures = {
      ...end,
      engines: [...new Set(runs.map(({ engine }) => engine))],
      runs,
      waited: entry?.waited ?? since(row),
      ran: entry ? Math.round(performance.now() - entry.began) : 0,
      worked: entry !== undefined,
      cpu: Math.round(runs.reduce((sum, { cpu }) => sum + cpu, 0) * 100) / 100,
      memory: runs.reduce((max, { memory }) => Math.max(max, memory), 0),
    }
    log[levelOf(end)](lineOf(figures, runs), 'conversion')
    events.emit('figures', figures)
  }

  return {
    open(row) {
      const findings = createFindings()
      const entry: Entry = { runs: [], findings, waited: since(row), began: performance.now(), settled: false }
      const spans = beginAttempt(tracing, row)
      entries.set(row.id, entry)
      return {
        trace: spans.context,
        onRun(run) {
          entry.runs.push(run)
          spans.ran(run)
        },
        runs: entry.runs,
        findings,
        settle: () => {
          entry.settled = true
        },
        close() {
          // A node that lost its claim may have claimed it again.
          if (entries.get(row.id) === entry) entries.delete(row.id)
          spans.end(entry.ending)
          if (entry.end) report(entry.end, entry)
        },
      }
    },
  }
}

const since = ({ created_at }: Pick<ConversionRow, 'created_at'>) => Math.max(0, Date.now() - Number(created_at))

const levelOf = ({ ending }: ConversionEnd) =>
  ending.status === 'failed' && ending.error_code === 'INTERNAL_SERVER_ERROR' ? 'error' : 'info'

/** Builds the log line of a conversion. It must identify neither the owner nor the file names. */
function lineOf({ row, ending, engines, ...figures }: Figures, runs: readonly RunAccount[]): object {
  const trace = traceOf(row)
  const failed = ending.status === 'failed'
  return {
    // Also where another request ended it.
    ...(row.request_id !== null && { requestId: row.request_id }),
    ...(trace && { traceId: traceIdOf(trace) }),
    conversion: row.id,
    owner: row.owner.split('_', 1)[0],
    pair: `${row.from_format}>${row.to_format}`,
    engines,
    status: ending.status,
    ...(failed && { code: ending.error_code, reason: ending.error_message }),
    waited: figures.waited,
    ran: figures.ran,
    attempts: row.attempts,
    sourceBytes: Number(row.source_size),
    ...(!failed && { resultBytes: Number(ending.output_size) }),
    cpu: figures.cpu,
    memory: figures.memory,
    ...(failed && endOf(runs.at(-1))),
  }
}

/** How the last run of a failed conversion ended. */
function endOf(run: RunAccount | undefined): object {
  if (!run) return {}
  const signal = SIGNALS.get((run.exit ?? 0) - 128)
  return {
    ...(signal ? { signal } : run.exit !== null && { exit: run.exit }),
    said: legible(run.said),
  }
}

const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number as number, name]))

/** Begins the spans of an attempt, when the conversion has been claimed: its wait in the queue has ended. */
function beginAttempt(tracing: Tracing, row: ConversionRow) {
  const parent = traceOf(row)
  tracing.begin('queue', { parent, since: Number(row.created_at) }).end()
  const span = tracing.begin('conversion', { parent })
  return {
    /** Where the work belongs. */
    context: span.context,
    /** Records the run of an engine, when it has ended. */
    ran({ engine, ms, exit, cpu, memory }: RunAccount) {
      const attributes = {
        'athanor.cpu_seconds': cpu,
        'athanor.memory_bytes': memory,
        ...(exit !== null && { 'process.exit.code': exit }),
      }
      const run = tracing.begin(`engine ${engine}`, { parent: span.context, since: Date.now() - ms })
      run.end({ attributes, error: exit ? `${exit}` : undefined })
    },
    /** @param ending Undefined: it returns to the queue. */
    end(ending: Ending | undefined) {
      const attributes = {
        'athanor.conversion': row.id,
        'athanor.pair': `${row.from_format}>${row.to_format}`,
        'athanor.attempt': row.attempts,
        'athanor.status': ending?.status ?? 'queued',
      }
      span.end({ attributes, error: ending?.status === 'failed' ? ending.error_code : undefined })
    },
  }
}
