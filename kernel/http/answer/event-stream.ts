import { Readable } from 'node:stream'
import type { Inbox } from '../../events/inbox.ts'

/** An event as the stream sends it. */
export interface StreamEvent {
  event: string
  /** JSON without line breaks. */
  data: string
}

/** Written ahead for a reader. */
const BUFFER_BYTES = 16 * 1024

/** After which clients open another stream when this one has ended. */
const RETRY_MS = 1000

/** Records that wait for a reader. A reader that is further behind continues in another stream. */
const MAX_WAITING = 5000

/**
 * Writes server-sent events (WHATWG HTML, 9.2) until the signal aborts or the inbox is closed. A record is read when
 * the client has room for it, so nothing piles up for a slow reader.
 *
 * @param read Makes the event of a name. Undefined: the record is gone.
 * @param idOf Makes the id of an event, from the number of the last change that the client then knows.
 * @param comment Milliseconds between two comments.
 */
export function writeEvents(
  inbox: Inbox,
  read: (name: string) => Promise<StreamEvent | undefined>,
  { idOf, comment, signal }: { idOf: (number: number) => string; comment: number; signal: AbortSignal },
): Readable {
  async function* write(): AsyncGenerator<string> {
    yield `retry: ${RETRY_MS}\n\n`
    let next = performance.now() + comment
    while (!signal.aborted && !inbox.closed() && inbox.size() <= MAX_WAITING) {
      if (performance.now() >= next) {
        next = performance.now() + comment
        yield ':\n\n'
      }
      const item = inbox.take()
      if (!item) {
        await inbox.wait(Math.max(0, next - performance.now()), signal)
        continue
      }
      const event = await read(item.name)
      const id = item.seen === undefined ? '' : `id: ${idOf(item.seen)}\n`
      if (event) yield `${id}event: ${event.event}\ndata: ${event.data}\n\n`
    }
  }
  return Readable.from(write(), { objectMode: false, highWaterMark: BUFFER_BYTES })
}
