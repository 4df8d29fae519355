import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'

/** Requests of one connection that may wait for their answer. Clients that pipeline send about ten. */
const MOST = 100

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
    if (add(socket, 1) > MOST) {
      log.info({ peer: socket.remoteAddress, most: MOST }, 'a client pipelined too many requests: connection closed')
      socket.destroy()
      return
    }
    // Emitted once. `once` would wrap the listener.
    res.on('close', () => add(socket, -1))
    handle(req, res)
  }
}
