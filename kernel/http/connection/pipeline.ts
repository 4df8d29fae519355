import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Context } from '../context.ts'

/** Requests of one connection that may be without a complete answer. Clients that pipeline send about ten. */
const MOST = 100

/**
 * Closes a connection that sends more requests than it waits for: each is held in memory until those before it are
 * answered. A client that pipelines must expect that (RFC 9112 §9.3.2).
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
    // Node goes on with what it has read already.
    if (socket.destroyed) return
    if (add(socket, 1) > MOST) {
      log.info(
        { peer: socket.remoteAddress, most: MOST },
        'a client sent too many requests in a row: connection closed',
      )
      socket.destroy()
      return
    }
    res.once('close', () => add(socket, -1))
    handle(req, res)
  }
}

/**
 * Waits until the answers before this one on its connection are complete. Node would keep what is written earlier in
 * memory, and a file would be open for nothing. @throws AbortError when the client goes away.
 */
export async function untilTurn({ res }: Context, gone: AbortSignal): Promise<void> {
  if (!res.socket) await once(res, 'socket', { signal: gone })
}
