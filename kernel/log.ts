import { AsyncLocalStorage } from 'node:async_hooks'
import { type Logger, pino } from 'pino'

/** The request that the running code serves: every line logged meanwhile carries its id. */
export const currentRequest = new AsyncLocalStorage<{ requestId: string }>()

/** The service's log: JSON lines on standard output. */
export function createLog(level: string): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => currentRequest.getStore() ?? {},
  }
  // Written at once: a line is there before the client has its answer, and survives a crash.
  return pino(options, pino.destination({ dest: 1, sync: true }))
}
