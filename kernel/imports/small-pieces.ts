import type { ClientRequest, IncomingMessage } from 'node:http'
import { createPieceCount, MIN_MEAN_PIECE } from '../piece-count.ts'
import { importFailed } from './failures.ts'

/** Maximum number of informational responses (RFC 9110 §15.2) before the answer. */
const MAX_INFORMATIONAL = 20

/**
 * Ends answers that arrive in absurdly small pieces, or behind many informational responses, each of which costs as
 * much as a piece.
 */
export function refuseSmallPieces(request: ClientRequest): void {
  let informational = 0
  request.on('information', () => {
    if (++informational > MAX_INFORMATIONAL) request.destroy(importFailed('The server sent no answer'))
  })
  request.once('response', (answer: IncomingMessage) => {
    const isTooSmall = createPieceCount()
    const push = answer.push.bind(answer)
    // Counts what the parser passes on, whoever reads it.
    answer.push = (chunk: Buffer | null) => {
      if (answer.destroyed) return false
      if (chunk && isTooSmall(chunk.length)) {
        answer.destroy(importFailed(`The server sent chunks of less than ${MIN_MEAN_PIECE} bytes on average`))
        return false
      }
      return push(chunk)
    }
  })
}
