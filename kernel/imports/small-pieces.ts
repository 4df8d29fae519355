import type { ClientRequest, IncomingMessage } from 'node:http'
import { importFailed } from './failures.ts'

/** Chunks that may be of any size, and bytes that the chunks of a longer answer must have on average. */
const CHUNKS = { ofAnySize: 1000, mean: 32 }

/** Maximum number of informational responses (RFC 9110 §15.2) before the answer. */
const MAX_INFORMATIONAL = 20

/**
 * Ends answers that arrive in absurdly small pieces. Each chunk is a call of Node's parser and a buffer of its own, so a byte
 * in a chunk of its own costs as much as a kilobyte; so does each informational response.
 */
export function refuseSmallPieces(request: ClientRequest): void {
  let informational = 0
  request.on('information', () => {
    if (++informational > MAX_INFORMATIONAL) request.destroy(importFailed('The server sent no answer'))
  })
  request.once('response', (answer: IncomingMessage) => {
    let [chunks, bytes] = [0, 0]
    const push = answer.push.bind(answer)
    // Counts what the parser passes on, whoever reads it.
    answer.push = (chunk: Buffer | null) => {
      if (answer.destroyed) return false
      if (chunk) {
        chunks++
        bytes += chunk.length
        if (chunks > CHUNKS.ofAnySize && bytes < chunks * CHUNKS.mean) {
          answer.destroy(importFailed(`The server sent chunks of less than ${CHUNKS.mean} bytes on average`))
          return false
        }
      }
      return push(chunk)
    }
  })
}
