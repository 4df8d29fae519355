import type { Context } from './context.ts'

/** Aborts when the client goes away, and when it has its answer. */
export function untilGone({ res }: Context): AbortSignal {
  const gone = new AbortController()
  if (res.destroyed) gone.abort()
  res.once('close', () => gone.abort())
  return gone.signal
}
