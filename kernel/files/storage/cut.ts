import { Readable } from 'node:stream'

/** A body as a row of streams. */
interface CutBody {
  /** Returns the next bytes. Undefined: there are none. The stream before must have been read. */
  next(): Promise<Readable | undefined>
  /** Why the body broke. What arrived before is in the streams. */
  failure(): unknown
}

/** Cuts a body into streams of at most `max` bytes. None of them fails, also if the body does. */
export function cut(body: AsyncIterable<Buffer>, max: number): CutBody {
  const chunks = body[Symbol.asyncIterator]()
  let rest: Buffer | undefined
  let broken: unknown

  async function peek(): Promise<Buffer | undefined> {
    if (rest || broken) return rest
    try {
      const { done, value } = await chunks.next()
      rest = done ? undefined : value
    } catch (error) {
      broken = error
    }
    return rest
  }

  async function* piece() {
    for (let room = max; room > 0; ) {
      const chunk = await peek()
      if (!chunk) return
      const first = chunk.subarray(0, room)
      room -= first.length
      rest = chunk.length > first.length ? chunk.subarray(first.length) : undefined
      if (first.length) yield first
    }
  }

  return {
    async next() {
      return (await peek()) && Readable.from(piece())
    },
    failure: () => broken,
  }
}
