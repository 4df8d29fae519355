import type { Client } from './client.ts'
import { AthanorError } from './error.ts'
import { sleep } from './pace.ts'
import type { Conversion } from './records.ts'

/** Waits until a conversion has ended, without a time limit. @throws AthanorError NOT_FOUND if it was deleted. */
export type Done = (
  id: string,
  options?: { signal?: AbortSignal; onProgress?: (conversion: Conversion) => void },
) => Promise<Conversion>

/** Seconds of a long poll, of one that shows progress, and of the first one: most conversions are short. */
const LONG_POLL = 25
const SHORT_POLL = 1
/** Milliseconds between two polls that are answered at once. */
const PAUSE = 2000
/** Milliseconds without an event after which a conversion is asked for: it may be gone. */
const SILENCE = 60_000

const hasEnded = ({ status }: Conversion) => status === 'completed' || status === 'failed'

/** Not an answer of the service: something on the way ended a long request. */
const isCut = (error: unknown) => error instanceof AthanorError && [0, 502, 504].includes(error.status)

/** Makes a function that waits by the service's events; by long polls, if no events come through; else by polls. */
export function createDone(client: Pick<Client, 'conversion' | 'events'>): Done {
  const listeners = new Set<(conversion?: Conversion) => void>()
  let stream: AbortController | undefined
  let hasEvents = true

  /** One stream serves all that wait: the service allows few. It ends with the last of them. */
  async function read(own: AbortController): Promise<void> {
    try {
      for await (const { event, data } of client.events({ signal: own.signal })) {
        if (event === 'conversion') for (const hear of listeners) hear(data)
      }
    } catch {
      hasEvents = false
      for (const hear of listeners) hear()
    }
  }

  /** Resolves to the ended conversion; to undefined if it should be asked for. */
  async function heard(id: string, { signal, onProgress }: NonNullable<Parameters<Done>[1]>) {
    const quiet = new AbortController()
    const ended = new Promise<Conversion | undefined>((resolve) => {
      const hear = (conversion?: Conversion) => {
        if (conversion && conversion.id !== id) return
        if (conversion) onProgress?.(conversion)
        if (!conversion || hasEnded(conversion)) resolve(conversion)
      }
      listeners.add(hear)
      quiet.signal.addEventListener('abort', () => listeners.delete(hear))
    })
    if (!stream) read((stream = new AbortController()))
    try {
      const both = signal ? AbortSignal.any([signal, quiet.signal]) : quiet.signal
      return await Promise.race([ended, sleep(SILENCE, both)])
    } finally {
      quiet.abort()
      if (listeners.size === 0) {
        stream?.abort()
        stream = undefined
      }
    }
  }

  return async (id, options = {}) => {
    const { signal, onProgress } = options
    for (let wait = SHORT_POLL, isWhole = true; ; ) {
      try {
        const conversion = await client.conversion(id, { wait, ...(signal && { signal }) })
        onProgress?.(conversion)
        if (hasEnded(conversion)) return conversion
      } catch (error) {
        if (wait === 0 || !isCut(error)) throw error
        isWhole = false
      }
      const ended = hasEvents ? await heard(id, options) : undefined
      if (ended) return ended
      wait = !isWhole ? 0 : hasEvents || onProgress ? SHORT_POLL : LONG_POLL
      if (wait === 0) await sleep(PAUSE, signal)
    }
  }
}
