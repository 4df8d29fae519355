import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Context } from '../context.ts'

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

/**
 * Waits until the earlier answers of the connection are complete. Before that, Node keeps in memory what is written,
 * and a file would be open for nothing. @throws AbortError when the client goes away.
 */
export async function untilTurn({ res }: Context, gone: AbortSignal): Promise<void> {
  if (!res.socket) await once(res, 'socket', { signal: gone })
}
