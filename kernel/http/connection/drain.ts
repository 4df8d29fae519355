import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** Milliseconds that answers get after the last conversion has ended, although the time to stop is over. */
const LAST_ANSWERS = 5000
/** Milliseconds that requests get which were cut off. A connection without a request, such as half a TLS handshake, may stay. */
const CLEAN_UP = 1000
/** Milliseconds between two looks for connections that have their answer. */
const IDLE_LOOK = 200

/**
 * Stops a server: it accepts no connection from then on. Resolves when no request is open.
 *
 * @param grace Milliseconds that open requests have. @param conversions Resolves when no conversion runs: clients that wait for one
 *   have their answer after that.
 */
export type Drain = (grace: number, conversions: Promise<void>) => Promise<void>

/** Makes what stops a server. */
export function createDrain(server: Server): Drain {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  function closeIdle(): void {
    server.closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  return async (grace, conversions) => {
    const closed = once(server.close(), 'close')
    const within = (time: number) => Promise.race([closed, setTimeout(time)])
    // Otherwise kept connections stay: those that bring another request, those that wait for one, and those that said nothing.
    for (const event of ['request', 'checkContinue', 'checkExpectation'])
      server.prependListener(event, (_req, res: ServerResponse) => void (res.shouldKeepAlive = false))
    setInterval(closeIdle, IDLE_LOOK).unref()
    await within(grace)
    await conversions
    await within(LAST_ANSWERS)
    // What is still open ends with its connection, while it can still clean up.
    server.closeAllConnections()
    await within(CLEAN_UP)
  }
}
