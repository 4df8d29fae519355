/** Waits for a promise. @throws the reason of the signal as soon as it aborts, or has aborted before. */
export async function orAborted<T>(done: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = () => reject(signal.reason)
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([done, promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
