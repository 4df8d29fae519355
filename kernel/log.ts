import { type Logger, type LoggerOptions, pino } from 'pino'
import { currentRequest } from './current-request.ts'
import { escapeLines } from './terminal.ts'

/** Fields of errors of databases and of Redis that contain statements or commands with their values, even passwords. */
const STATEMENT = ['sql', 'sqlMessage', 'parameters', 'bindings', 'command']

/** Logger options, independent of the destination. */
export const logOptions = (level: string): LoggerOptions => ({
  level,
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  mixin() {
    const { requestId } = currentRequest.getStore() ?? {}
    return requestId === undefined ? {} : { requestId }
  },
  serializers: { err: withoutStatement },
  hooks: { streamWrite: escapeLines },
})

/** Creates the service's log: JSON lines on standard output. */
export function createLog(level: string): Logger {
  // Write synchronously: a line is written before the client gets its answer, and survives a crash.
  return pino(logOptions(level), pino.destination({ dest: 1, sync: true }))
}

/** Milliseconds between two lines of a bounded warning. */
const WARNING_INTERVAL = 60_000

/**
 * Returns a function that logs a warning at most once a minute, with the number of calls since the last line: for what
 * others can cause as often as they like.
 */
export function boundedWarning(log: Logger, message: string): () => void {
  let count = 0
  let silentUntil = Number.NEGATIVE_INFINITY
  return () => {
    count++
    if (performance.now() < silentUntil) return
    log.warn({ count }, message)
    count = 0
    silentUntil = performance.now() + WARNING_INTERVAL
  }
}

function withoutStatement(error: Error): unknown {
  const serialized = pino.stdSerializers.err(error) as unknown as Record<string, unknown>
  if (!(error instanceof Error)) return serialized
  return Object.fromEntries(Object.entries(serialized).filter(([name]) => !STATEMENT.includes(name)))
}
