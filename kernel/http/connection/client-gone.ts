import { once } from 'node:events'
import type { Context } from '../context.ts'

/**
 * Returns a signal that aborts when the client goes away, and when it has its answer. An answer that waits for earlier
 * ones emits nothing when the connection closes. Only the socket does, so this listens to both.
 */
export function untilGone({ req: { socket }, res }: Context): AbortSignal {
  const gone = new AbortController()
  const leave = () => {
    for (const end of [res, socket]) end.off('close', leave)
    gone.abort()
  }
  if (res.destroyed || socket.destroyed) leave()
  // A client may send many requests in a row.
  else for (const end of [res, socket.setMaxListeners(0)]) end.once('close', leave)
  return gone.signal
}

/**
 * Waits until the earlier answers of the connection are complete. Before that, Node keeps in memory what is written,
 * and a file would be open for nothing. @throws AbortError when the client goes away.
 */
export async function untilTurn({ res }: Context, gone: AbortSignal): Promise<void> {
  if (!res.socket) await once(res, 'socket', { signal: gone })
}
