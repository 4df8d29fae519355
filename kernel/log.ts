import { AsyncLocalStorage } from 'node:async_hooks'
import { type Logger, pino } from 'pino'

/** The request that the running code serves: every line logged meanwhile carries its id. */
export const currentRequest = new AsyncLocalStorage<{ requestId: string }>()

/** The service's log: JSON lines on standard output. */
export function createLog(level: string): Logger {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => currentRequest.getStore() ?? {},
  })
}
