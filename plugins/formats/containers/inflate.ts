import { createBrotliDecompress, createGunzip, createInflateRaw, createZstdDecompress } from 'node:zlib'

const makers = {
  deflate: createInflateRaw,
  gzip: createGunzip,
  brotli: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/**
 * Decompresses the beginning of a stream: what the input gives until it ends, breaks, or `limit` bytes are there.
 * The output is never longer than `limit`, whatever the ratio.
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
    // The input is a fragment or broken: what came before that is the answer.
  }
  return Buffer.concat(chunks).subarray(0, limit)
}
