import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'

/** How long answers may still be sent after the last conversion has ended, although the time to stop is over. */
const LAST_ANSWERS_MS = 5000

/** How long requests that were cut off may clean up. Half a TLS handshake, which has no request, may stay. */
const CLEAN_UP_MS = 1000

/** Between two checks for connections that have their answer. */
const IDLE_CHECK_MS = 200

/** Connections that the system holds for a server which has not accepted them: Node's default. */
const BACKLOG = 511

/** The graceful shutdown of a server. */
export type Drain = ReturnType<typeof createDrain>

/** Creates the graceful shutdown of a server. */
export function createDrain(server: Server) {
  const sockets = new Set<Socket>()
  let accepted = 0
  server.on('connection', () => accepted++)
  // What is encrypted counts twice: what has arrived is a handshake, or more than that.
  for (const event of ['connection', 'secureConnection'])
    server.on(event, (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
  function closeIdle(): void {
    server.closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  /**
   * Takes in what has arrived. A server that stops to listen resets the connections that it has not accepted, and their
   * clients cannot know whether their requests were served. In a turn of the event loop, Node accepts one of them.
   */
  async function takeIn(): Promise<void> {
    const max = accepted + BACKLOG
    let idle = 0
    // Two turns: the first may already have polled the sockets.
    while (idle < 2 && accepted < max) {
      const before = accepted
      await setImmediate()
      idle = accepted > before ? 0 : idle + 1
    }
  }
  return {
    /**
     * Serves everyone for this time, in milliseconds. Each answer ends its connection, so that nobody uses a kept one
     * when the server stops.
     */
    async leave(delay: number) {
      // Otherwise kept connections stay: those that bring another request, those that wait for one, and those that said
      // nothing.
      for (const event of ['request', 'checkContinue', 'checkExpectation'])
        server.prependListener(event, (_req, res: ServerResponse) => {
          res.shouldKeepAlive = false
        })
      if (delay > 0) await setTimeout(delay)
    },
    /**
     * Accepts no connection from then on. Resolves when no request is open.
     *
     * @param grace Milliseconds that open requests have. @param conversions Resolves when no conversion runs: clients
     * that wait for one have their answer after that.
     */
    async close(grace: number, conversions: Promise<void>) {
      await takeIn()
      const closed = once(server, 'close')
      // Not `close` of an HTTP server, which ends the timeouts of heads, too: half a head would hold the stop up.
      NetServer.prototype.close.call(server)
      const within = (time: number) => Promise.race([closed, setTimeout(time, undefined, { ref: false })])
      setInterval(closeIdle, IDLE_CHECK_MS).unref()
      await within(grace)
      await conversions
      await within(LAST_ANSWERS_MS)
      // What is still open ends with its connection, while it can still clean up.
      server.closeAllConnections()
      await within(CLEAN_UP_MS)
    },
  }
}
