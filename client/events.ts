import { AthanorError } from './error.ts'
import { sleep } from './pace.ts'
import type { Batch, Conversion, Usage } from './records.ts'

/** An event of the service. */
export type ServiceEvent =
  | { event: 'conversion'; data: Conversion }
  | { event: 'batch'; data: Omit<Batch, 'conversions'> }
  | { event: 'usage'; data: Usage }

/** Milliseconds within which a new stream must begin. A proxy that holds it back would hold every event back. */
const BEGINNING = 4000

/** Milliseconds without a byte after which a stream is dead: comments come every 15 seconds. */
const SILENCE = 40_000

/** Milliseconds before a stream is opened again. */
const PAUSE = 1000

/**
 * Yields events until the signal aborts. When a stream ends or breaks, another one continues after the last event.
 *
 * @throws AthanorError NO_EVENTS if no stream comes through; and refusals, such as of a bad credential.
 */
export async function* streamEvents(
  url: URL,
  headers: () => Readonly<Record<string, string>>,
  signal: AbortSignal,
  onReach: (reached: boolean) => void = () => {},
  fetch = globalThis.fetch,
): AsyncGenerator<ServiceEvent, void> {
  let last: string | undefined
  let reached = false
  while (!signal.aborted) {
    const quiet = new AbortController()
    let timer = setTimeout(() => quiet.abort(), BEGINNING)
    try {
      const answer = await fetch(url, {
        headers: { ...headers(), ...(last !== undefined && { 'last-event-id': last }) },
        cache: 'no-store',
        signal: AbortSignal.any([signal, quiet.signal]),
      })
      if (!answer.headers.get('content-type')?.startsWith('text/event-stream') || !answer.body) {
        if (answer.status >= 500 && reached) throw new Error('for now')
        throw noEvents()
      }
      for await (const block of blocksOf(answer.body)) {
        clearTimeout(timer)
        timer = setTimeout(() => quiet.abort(), SILENCE)
        reached = true
        onReach(true)
        const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)))
        last = fields.id ?? last
        if (fields.data) yield { event: fields.event, data: JSON.parse(fields.data) }
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof AthanorError) throw error
      if (!reached) throw noEvents(error)
      onReach(false)
    } finally {
      clearTimeout(timer)
      quiet.abort()
    }
    await sleep(PAUSE, signal).catch(() => {})
  }
}

const noEvents = (cause?: unknown) =>
  new AthanorError('No stream of events comes through', { code: 'NO_EVENTS', status: 0 }, { cause })

/** Splits a stream at its empty lines. */
async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = blocks.pop() ?? ''
      yield* blocks
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
