import { IncomingMessage, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { createChunkCount, MIN_MEAN_CHUNK } from '../../chunk-count.ts'
import { ServiceError } from '../../errors.ts'

/** Lines in the head of a request, and in the trailer of its body. Other servers have the same limit. */
const MAX_LINES = 100

/** Answers a request with an error while it is being parsed, and ends its connection. */
type Refuse = (error: ServiceError, socket: Socket) => void

/**
 * Makes the class of requests that have bodies of absurdly small pieces, or too many trailer lines, refused. Counts
 * what the parser passes on, whoever reads it, and also if nobody does.
 */
export function requestsInPieces(refuse: Refuse): typeof IncomingMessage {
  return class extends IncomingMessage {
    #isTooSmall = createChunkCount()
    #isAnswered = false
    #isRefused = false

    override push(chunk: Buffer | null): boolean {
      if (this.#isRefused) return true
      const error = chunk ? this.#faultOf(chunk) : faultOfLines(this.rawTrailers)
      if (!error) return super.push(chunk)
      this.#isRefused = true
      // A second answer would be taken for that of the next request.
      if (this.#isAnswered) this.socket.destroy()
      else refuse(error, this.socket)
      return true
    }

    #faultOf({ length }: Buffer): ServiceError | undefined {
      if (!this.#isTooSmall(length)) return undefined
      const message = `The body must arrive in pieces of at least ${MIN_MEAN_CHUNK} bytes on average; send larger chunks`
      return new ServiceError('BAD_REQUEST', message)
    }

    /**
     * Node calls this when a request has its answer and nobody reads the body. It would drop the body without `push`.
     */
    _dump(): void {
      this.#isAnswered = true
      this.resume()
    }
  }
}

/** Refuses requests with too many header lines. No handler sees them. */
export const refuseManyLines =
  (handle: RequestListener, refuse: Refuse): RequestListener =>
  (req, res) => {
    const error = faultOfLines(req.rawHeaders)
    if (error) refuse(error, req.socket)
    else handle(req, res)
  }

/** @param lines Names and values in turn. */
function faultOfLines({ length }: readonly string[]): ServiceError | undefined {
  if (length <= 2 * MAX_LINES) return undefined
  const message = `A request must have at most ${MAX_LINES} header lines, and at most ${MAX_LINES} trailer lines`
  return new ServiceError('REQUEST_HEADER_FIELDS_TOO_LARGE', message)
}
