import { currentRequest } from '../../current-request.ts'
import { passThrough, type Span, type Tracing } from '../../tracing/tracing.ts'
import type { Storage } from './storage.ts'

/** Records what requests and conversions do with a storage. Work that belongs to no trace is not recorded. */
export function traceStorage(storage: Storage, tracing: Tracing): Storage {
  if (tracing === passThrough) return storage

  function begin(name: string) {
    const parent = currentRequest.getStore()?.trace
    return parent && tracing.begin(`storage ${name}`, { parent })
  }

  const traced =
    <A extends unknown[], T>(name: string, work: (...given: A) => Promise<T>) =>
    (...given: A): Promise<T> => {
      const span = begin(name)
      return span ? inSpan(span, () => work(...given)) : work(...given)
    }

  return {
    ...storage,
    stage: traced('stage', storage.stage),
    adopt: traced('adopt', storage.adopt),
    keep: traced('keep', storage.keep),
    publish: traced('publish', storage.publish),
    checkOut: traced('check-out', storage.checkOut),
    list: traced('list', storage.list),
    remove: traced('remove', storage.remove),
    open(key, range) {
      const span = begin('read')
      const stream = storage.open(key, range)
      if (span) {
        stream.once('close', () => span.end(stream.errored ? { error: errorCode(stream.errored) } : {}))
      }
      return stream
    },
  }
}

/** Records a call as a span. Errors are recorded by their code: sentences can contain paths. */
async function inSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work()
    span.end()
    return result
  } catch (error) {
    span.end({ error: errorCode(error) })
    throw error
  }
}

/** The code of an error, or else its class. */
function errorCode(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'unknown')
}
