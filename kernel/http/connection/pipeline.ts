import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'

/** Requests of one connection that may wait for their answer. Clients that pipeline send about ten. */
const MAX_WAITING = 100

/**
 * Closes a connection that has too many requests without an answer, since each is held in memory until those before it
 * are answered. Clients that pipeline must expect that (RFC 9112 §9.3.2).
 */
export function boundPipeline(handle: RequestListener, log: Logger): RequestListener {
  const waiting = new WeakMap<Socket, number>()
  const add = (socket: Socket, change: number) => {
    const count = (waiting.get(socket) ?? 0) + change
    waiting.set(socket, count)
    return count
  }
  return (req: IncomingMessage, res) => {
    const { socket } = req
    // Node still passes on the requests that it has read, also behind one that was refused.
    if (!socket.writable) return
    if (add(socket, 1) > MAX_WAITING) {
      log.info(
        { peer: socket.remoteAddress, max: MAX_WAITING },
        'a client pipelined too many requests: connection closed',
      )
      socket.destroy()
      return
    }
    res.once('close', () => add(socket, -1))
    handle(req, res)
  }
}
