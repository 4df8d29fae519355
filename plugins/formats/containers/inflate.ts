import { createBrotliDecompress, createGunzip, createInflateRaw, createZstdDecompress } from 'node:zlib'

const makers = {
  deflate: createInflateRaw,
  gzip: createGunzip,
  brotli: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/**
 * Decompresses the beginning of a stream, until the input ends or is invalid, or `limit` bytes are decompressed. The
 * output is never longer than `limit`, whatever the compression ratio.
 */
export async function inflateHead(method: keyof typeof makers, input: Uint8Array, limit = 65_536): Promise<Buffer> {
  const stream = makers[method]()
  const chunks: Buffer[] = []
  let length = 0
  stream.end(input)
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= limit) break
    }
  } catch {
    // The input is incomplete or damaged: return the part before.
  }
  return Buffer.concat(chunks).subarray(0, limit)
}
