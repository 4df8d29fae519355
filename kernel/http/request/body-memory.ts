/** Chunks that are remembered: 2 MB of the 16 KB that TLS passes on. Less is between the socket and the disk. */
const MOST = 128

/**
 * Frees the chunks of a body as soon as they are written. Otherwise each few megabytes of an upload would make the
 * garbage collector go through everything that the service holds, which takes longer than the upload itself.
 */
export function createBodyMemory() {
  const chunks: ArrayBuffer[] = []
  return {
    /** Notes a chunk, in the order of the body. */
    add({ buffer, byteLength }: Buffer): void {
      // Small buffers can share their memory with others.
      if (byteLength === buffer.byteLength) chunks.push(buffer as ArrayBuffer)
      if (chunks.length > MOST) chunks.shift()
    },
    /**
     * Frees the chunks before the one that this buffer is a part of. Call it with each part that is written, in order.
     * A chunk can have several parts, so it stays until one of a later chunk is written.
     */
    written({ buffer }: Buffer): void {
      if (chunks.includes(buffer as ArrayBuffer)) while (chunks[0] !== buffer) chunks.shift()!.transfer(0)
    },
  }
}
