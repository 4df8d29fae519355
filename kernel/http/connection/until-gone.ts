import type { Context } from '../context.ts'

/**
 * Aborts when the client goes away, and when it has its answer. An answer that waits behind others of its connection
 * hears nothing when that ends, only the socket does: so both are listened to.
 */
export function untilGone({ req: { socket }, res }: Context): AbortSignal {
  const gone = new AbortController()
  const leave = () => {
    for (const end of [res, socket]) end.off('close', leave)
    gone.abort()
  }
  if (res.destroyed || socket.destroyed) leave()
  // As many as a client sends in a row.
  else for (const end of [res, socket.setMaxListeners(0)]) end.once('close', leave)
  return gone.signal
}
