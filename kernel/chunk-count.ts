/** Chunks of a body that may be of any size, since short texts may be written word by word. */
const FREE_CHUNKS = 1000

/** Bytes that the chunks of a longer body must have on average. */
export const MIN_MEAN_CHUNK = 32

/**
 * Returns a function that counts the chunks of one body and returns whether they are absurdly small by now. Each chunk
 * costs a call of Node's parser and a buffer of its own, however few bytes it has.
 */
export function createChunkCount(): (length: number) => boolean {
  let chunks = 0
  let bytes = 0
  return (length) => {
    chunks++
    bytes += length
    return chunks > FREE_CHUNKS && bytes < chunks * MIN_MEAN_CHUNK
  }
}
