import { createReadStream, readSync } from 'node:fs'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { damaged } from './complaints.ts'
import { type Member, plainEntry } from './entry.ts'
import type { Packed } from './plain-zip.ts'

/** Bytes that are unpacked at once. A stream for each small file would take longer than to unpack it. */
const AT_ONCE = 1024 ** 2
/** Bytes of a piece of a larger file. */
const PIECE = 64 * 1024

/** The entries of a plain zip with their content, which is refused as damaged if it is not what its header says. */
export async function* zipMembers(path: string, file: number, entries: readonly Packed[]): AsyncGenerator<Member> {
  for (const packed of entries) {
    const { name, folder, size, mode, mtime, uid, gid } = packed
    const entry = plainEntry(name, folder ? 'folder' : 'file', size, mode, String(mtime))
    yield { entry: { ...entry, uid, gid }, body: checked(packed, contentOf(path, file, packed)) }
  }
}

async function* contentOf(path: string, file: number, { at, length, size, deflated }: Packed): AsyncGenerator<Buffer> {
  if (length === 0) return
  if (length <= AT_ONCE && size <= AT_ONCE) {
    const bytes = Buffer.allocUnsafe(length)
    if (readSync(file, bytes, 0, length, at) < length) throw damaged()
    yield deflated ? inflated(bytes, size) : bytes
    return
  }
  const bytes = createReadStream(path, { start: at, end: at + length - 1, highWaterMark: PIECE })
  if (!deflated) return yield* bytes
  const inflate = createInflateRaw({ chunkSize: PIECE })
  bytes.once('error', (error) => inflate.destroy(error)).pipe(inflate)
  try {
    yield* inflate
  } finally {
    // The reader of the pipe may have left early, and the process is kept.
    bytes.destroy()
  }
  if (inflate.bytesWritten !== length) throw damaged()
}

function inflated(bytes: Buffer, size: number): Buffer {
  const { buffer, engine } = inflateRawSync(bytes, { info: true, maxOutputLength: Math.max(1, size) }) as unknown as {
    buffer: Buffer
    engine: { bytesWritten: number }
  }
  if (engine.bytesWritten !== bytes.length) throw damaged()
  return buffer
}

async function* checked({ size, crc }: Packed, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [sum, length] = [0, 0]
  for await (const piece of content) {
    sum = crc32(piece, sum)
    length += piece.length
    if (length > size) throw damaged()
    yield piece
  }
  if (length !== size || sum !== crc) throw damaged()
}
