import type { IncomingMessage, ServerResponse } from 'node:http'

/** Bytes, and milliseconds, of a refused body that are swallowed so that the client gets to read the answer. */
const LINGER = { bytes: 64e6, time: 5000 }

/** A refused body up to this many bytes is left to Node, which reads it to its end and keeps the connection. */
const SMALL = 64 * 1024

const waiting = new WeakSet<IncomingMessage>()

/** Notes that the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1). */
export const noteExpectation = (req: IncomingMessage) => void waiting.add(req)

/** Asks a client that waits for it to send its body. To be called before a body is read. */
export function inviteBody(req: IncomingMessage, res: ServerResponse): void {
  if (waiting.delete(req)) res.writeContinue()
}

/** Whether so much of the body may still come that the answer has to be sent before its end. */
export function hasLongBodyUnread(req: IncomingMessage): boolean {
  if (req.complete || req.destroyed) return false
  if (req.headers['transfer-encoding'] !== undefined) return true
  return Number(req.headers['content-length'] ?? 0) > SMALL
}

/**
 * Sends a whole answer while the body is still coming. The client may be in the middle of sending: if the connection
 * closed now, it would be reset and the answer lost (RFC 9112 §9.6). So a bounded rest is swallowed first.
 * Headers that are set on the response are sent.
 */
export async function answerBeforeEnd(req: IncomingMessage, res: ServerResponse, body: Buffer): Promise<void> {
  res.setHeader('Connection', 'close')
  res.setHeader('Content-Length', body.length)
  if (waiting.delete(req)) {
    res.end(body)
    return
  }
  // Complete for the client, but not ended: the end would close the connection.
  res.write(body)
  await swallow(req)
  res.end(() => req.destroy())
}

function swallow(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    let bytes = 0
    const timer = setTimeout(resolve, LINGER.time)
    const finish = () => {
      clearTimeout(timer)
      resolve()
    }
    req.unpipe()
    req.on('data', (chunk: Buffer) => {
      if ((bytes += chunk.length) > LINGER.bytes) finish()
    })
    req.once('end', finish).once('error', finish).once('close', finish).resume()
  })
}
