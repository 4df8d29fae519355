import { open, stat } from 'node:fs/promises'
import type { Source } from '../contract/format.ts'

/** Random access to a stored file. */
export interface Peek {
  /** Bytes. */
  readonly size: number
  /** Resolves to at most `length` bytes from `offset`, fewer at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>
}

/** Bytes of a file's beginning that detection always has. */
export const HEAD = 65_536

/** Read limits of one detection. The largest legitimate need is the directory of a zip with many entries. */
const BUDGET = { bytes: 8 * 1024 * 1024, reads: 1500 }

/** Opens a file for detection; disposal closes it. @throws the error of `stat` or `open`. */
export async function peekFile(path: string): Promise<Peek & AsyncDisposable> {
  const { size } = await stat(path)
  const handle = await open(path, 'r')
  return {
    size,
    async read(offset, length) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset)
      return buffer.subarray(0, bytesRead)
    },
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

/** Reads the head and limits all further reads, whatever lengths and offsets the file claims. */
export async function boundSource(file: Peek): Promise<Source> {
  const { size } = file
  let { bytes, reads } = BUDGET
  let head: Buffer = Buffer.alloc(0)
  async function readWithin(offset: number, length: number): Promise<Buffer> {
    const start = Number.isSafeInteger(offset) && offset >= 0 ? Math.min(offset, size) : size
    const count = Math.min(length, size - start)
    if (!(count > 0)) return Buffer.alloc(0)
    bytes -= count
    reads -= 1
    if (bytes < 0 || reads < 0) throw new RangeError('The file asks for too many reads')
    if (start + count <= head.length) return head.subarray(start, start + count)
    const chunk = await file.read(start, count)
    return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  }
  head = await readWithin(0, HEAD)
  return { size, head, read: readWithin }
}
