import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

/** Signature of PNG. */
export const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/** One chunk of a PNG file (W3C PNG, third edition, 5.3). */
export interface Chunk {
  type: string
  /** Where it starts in the file. */
  at: number
  /** Length of its data in bytes. */
  length: number
  /** Reads and checks its data. */
  data: () => Promise<Buffer>
}

/** Iterates over the chunks of a PNG without reading their data. */
export async function* chunks(file: FileHandle): AsyncGenerator<Chunk> {
  for (let at = signature.length; ; ) {
    const { buffer: head, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, at)
    if (bytesRead < 8) return
    const length = head.readUInt32BE(0)
    const start = at + 4
    const data = async () => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length + 8), 0, length + 8, start)
      if (bytesRead !== length + 8) throw new Error('the PNG ends too early')
      if (crc32(buffer.subarray(0, length + 4)) !== buffer.readUInt32BE(length + 4)) throw new Error('PNG checksum')
      return buffer.subarray(4, length + 4)
    }
    yield { type: head.toString('latin1', 4, 8), at, length, data }
    at += length + 12
  }
}

/** Encodes one chunk. */
export function chunk(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...parts])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length - 4)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Encodes 32-bit numbers, big-endian. */
export function words(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, index * 4)
  return buffer
}
