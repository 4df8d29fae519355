import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'

/** How much of a refused body is read and dropped, so that the client reads the answer. */
const MAX_DROPPED_BYTES = 64e6

/** How long a refused body is read and dropped. */
const DROP_TIMEOUT_MS = 5000

/** Node reads refused bodies up to this many bytes to their end, and keeps the connection. */
const SMALL = 64 * 1024

const waiting = new WeakSet<IncomingMessage>()

/** Records that the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1). */
export function recordExpectation(req: IncomingMessage): void {
  waiting.add(req)
}

/** Sends `100 Continue` to a client that waits for it. Call this before you read a body. */
export function inviteBody(req: IncomingMessage, res: ServerResponse): void {
  if (waiting.delete(req)) res.writeContinue()
}

/** Whether the unread rest of the body may be so long that the answer must be sent before its end. */
export function hasLongBodyUnread(req: IncomingMessage): boolean {
  if (req.complete || req.destroyed) return false
  if (req.headers['transfer-encoding'] !== undefined) return true
  return Number(req.headers['content-length'] ?? 0) > SMALL
}

/**
 * Sends a whole answer while the body still arrives, with the headers that are set on the response. Closing the
 * connection at once would reset it, and the answer would be lost (RFC 9112 §9.6). So a bounded rest of the body is
 * read first.
 */
export async function answerBeforeEnd(req: IncomingMessage, res: ServerResponse, body: Buffer): Promise<void> {
  // The parser may still refuse what came together with the head. Then that is the answer.
  await setImmediate()
  if (!req.socket.writable) return
  res.setHeader('Connection', 'close')
  res.setHeader('Content-Length', body.length)
  if (waiting.delete(req)) {
    res.end(body)
    return
  }
  // Writes everything. `end()` would close the connection.
  res.write(body)
  await dropRest(req)
  res.end(() => req.destroy())
}

function dropRest(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    let bytes = 0
    const timer = setTimeout(resolve, DROP_TIMEOUT_MS)
    const finish = () => {
      clearTimeout(timer)
      resolve()
    }
    req.unpipe()
    req.on('data', (chunk: Buffer) => {
      if ((bytes += chunk.length) > MAX_DROPPED_BYTES) finish()
    })
    req.once('end', finish).once('error', finish).once('close', finish).resume()
  })
}
