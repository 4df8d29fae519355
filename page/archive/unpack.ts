import { ArchiveError, type Member } from './directory.ts'

const LOCAL = 0x04034b50
const LOCAL_SIZE = 30

/** Returns one file of an archive, unpacked. @throws ArchiveError if it is damaged or larger than it claims. */
export async function unpack(archive: Blob, member: Member, signal: AbortSignal): Promise<File> {
  const header = new DataView(await archive.slice(member.offset, member.offset + LOCAL_SIZE).arrayBuffer())
  if (header.byteLength < LOCAL_SIZE || header.getUint32(0, true) !== LOCAL) throw new ArchiveError('damaged')
  const start = member.offset + LOCAL_SIZE + header.getUint16(26, true) + header.getUint16(28, true)
  const packed = archive.slice(start, start + member.packed)
  const blob = member.method === 0 ? packed : await inflate(packed, member.size, signal)
  if (blob.size !== member.size) throw new ArchiveError('damaged')
  return new File([blob], member.path.split('/').at(-1)!)
}

async function inflate(packed: Blob, size: number, signal: AbortSignal): Promise<Blob> {
  let unpacked = 0
  const limit = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      unpacked += chunk.length
      if (unpacked > size) throw new ArchiveError('bomb')
      controller.enqueue(chunk)
    },
  })
  const stream = packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).pipeThrough(limit, { signal })
  try {
    return await new Response(stream).blob()
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof ArchiveError ? error : new ArchiveError('damaged')
  }
}
