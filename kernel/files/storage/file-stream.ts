import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { READ } from './storage.ts'

/** The error of a stream whose file ends before the announced length. */
export const tooShort = () => new Error('a stored file is shorter than recorded')

/** Streams a range of a local file; `end` is inclusive. Fails if the file ends before it. */
export function openLocal(path: string, { start, end }: { start: number; end: number }): Readable {
  async function* read() {
    await using file = await open(path)
    for (let at = start; at <= end; ) {
      const length = Math.min(READ, end + 1 - at)
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, at)
      if (!bytesRead) throw tooShort()
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }
  return Readable.from(read(), { objectMode: false, highWaterMark: READ })
}
