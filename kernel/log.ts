import { AsyncLocalStorage } from 'node:async_hooks'
import { type Logger, type LoggerOptions, pino } from 'pino'

/** The request that the running code serves: every line logged meanwhile carries its id. */
export const currentRequest = new AsyncLocalStorage<{ requestId: string }>()

/** What database drivers put on their errors: statements with the values in them. */
const STATEMENT = ['sql', 'sqlMessage', 'parameters', 'bindings']

/** How the service logs, wherever it goes. */
export const logOptions = (level: string): LoggerOptions => ({
  level,
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  mixin: () => currentRequest.getStore() ?? {},
  serializers: { err: withoutStatement },
})

/** The service's log: JSON lines on standard output. */
export function createLog(level: string): Logger {
  // Written at once: a line is there before the client has its answer, and survives a crash.
  return pino(logOptions(level), pino.destination({ dest: 1, sync: true }))
}

function withoutStatement(error: Error): unknown {
  const serialized = pino.stdSerializers.err(error) as unknown as Record<string, unknown>
  if (!(error instanceof Error)) return serialized
  return Object.fromEntries(Object.entries(serialized).filter(([name]) => !STATEMENT.includes(name)))
}
