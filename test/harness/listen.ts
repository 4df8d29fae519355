import type { Service } from './service.ts'

/** An event as it was received. */
export interface Heard {
  id?: string
  event: string
  data: any
}

/** A stream of events that a test reads. */
export interface Listener {
  response: Response
  /** Everything that was heard so far. */
  heard: Heard[]
  /** Comments so far. */
  comments: number
  /** Waits until an event fits, also one that was heard before. */
  until(fits: (event: Heard) => boolean): Promise<Heard>
  /** Resolves when the service has ended the stream; rejects when it broke. */
  ended: Promise<void>
  close(): void
}

/** Milliseconds within which an awaited event must come. */
const TIMEOUT_MS = 60_000

/** Opens a stream of events and reads it until it is closed. */
export async function listen(
  service: Pick<Service, 'base'>,
  path = '/api/events',
  headers: Record<string, string> = {},
): Promise<Listener> {
  const leaving = new AbortController()
  const response = await fetch(service.base + path, { headers, signal: leaving.signal })
  const heard: Heard[] = []
  let hear = () => {}

  async function read(): Promise<void> {
    let text = ''
    for await (const part of response.body!.pipeThrough(new TextDecoderStream() as never) as AsyncIterable<string>) {
      text += part
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s)))
        if (fields.data) heard.push({ ...fields, data: JSON.parse(fields.data) })
        else if ('' in fields) listener.comments++
        hear()
      }
    }
  }

  const listener: Listener = {
    response,
    heard,
    comments: 0,
    async until(fits) {
      const late = performance.now() + TIMEOUT_MS
      for (;;) {
        const found = heard.find(fits)
        if (found) return found
        if (performance.now() > late) throw new Error(`not heard; but: ${JSON.stringify(heard).slice(0, 2000)}`)
        await new Promise<void>((resolve) => {
          hear = resolve
          setTimeout(resolve, 1000).unref()
        })
      }
    },
    ended: Promise.resolve(),
    close: () => leaving.abort(),
  }
  listener.ended = read()
  listener.ended.catch(() => {})
  return listener
}
