import { damaged } from './complaints.ts'

/** Reads a stream by numbers of bytes. */
export interface ByteReader {
  /** The next `count` bytes. Undefined at the end of the stream. Refuses a stream that ends within them. */
  exactly(count: number): Promise<Buffer | undefined>
  /** The next `count` bytes in pieces. Then skips the padding up to a multiple of `block` bytes. */
  pieces(count: number, block: number): AsyncGenerator<Buffer>
}

/** Bytes of a block of a tar. */
export const BLOCK = 512
/** Bytes written to a pipe at once. Writing each header alone would be slow. */
const BATCH = 65_536
const EMPTY = Buffer.alloc(0)

export function byteReader(chunks: AsyncIterable<Buffer>): ByteReader {
  const source = chunks[Symbol.asyncIterator]()
  let rest: Buffer = EMPTY

  async function more(): Promise<boolean> {
    const { value, done } = await source.next()
    if (done) return false
    rest = rest.length === 0 ? value : Buffer.concat([rest, value])
    return true
  }

  async function exactly(count: number): Promise<Buffer | undefined> {
    while (rest.length < count)
      if (!(await more())) {
        if (rest.length === 0) return undefined
        throw damaged()
      }
    const taken = rest.subarray(0, count)
    rest = rest.subarray(count)
    return taken
  }

  async function* pieces(count: number, block: number) {
    for (let left = count; left > 0; ) {
      if (rest.length === 0 && !(await more())) throw damaged()
      const piece = rest.subarray(0, Math.min(left, rest.length))
      rest = rest.subarray(piece.length)
      left -= piece.length
      yield piece
    }
    const padding = (block - (count % block)) % block
    if (padding > 0 && !(await exactly(padding))) throw damaged()
  }

  return { exactly, pieces }
}

/** Reads a body to its end. */
export async function drain(body: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of body);
}

/** The same bytes in larger pieces. */
export async function* batched(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    waiting.push(chunk)
    length += chunk.length
    if (length < BATCH) continue
    yield waiting.length === 1 ? chunk : Buffer.concat(waiting)
    waiting = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(waiting)
}
