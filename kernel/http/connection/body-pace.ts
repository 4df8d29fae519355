import type { IncomingMessage } from 'node:http'
import type { Config } from '../../../config/config.ts'
import { ServiceError } from '../../errors.ts'

/**
 * Fails when a body arrives too slowly. Connections are few, and a client that sends a byte now and then would hold
 * one for ever. Counts the bytes on the socket, whoever reads them, except while the service itself does not take more.
 * Returns a function that stops the watch.
 */
export function requirePace(
  req: IncomingMessage,
  { bodyTimeout, uploadPace }: Config['http'],
  fail: (error: ServiceError) => void,
): () => void {
  const min = (bodyTimeout / 1000) * uploadPace
  const { socket } = req
  let seen = socket.bytesRead
  let paused = false
  const timer = setInterval(() => {
    if (!req.complete && !paused && socket.bytesRead - seen < min) {
      fail(new ServiceError('REQUEST_TIMEOUT', `The body must arrive at ${uploadPace} bytes a second or faster`))
    }
    seen = socket.bytesRead
    paused = req.isPaused()
  }, bodyTimeout)
  // The disk or the storage is slow, not the client.
  const pause = () => {
    paused = true
  }
  req.on('pause', pause)
  return () => {
    clearInterval(timer)
    req.off('pause', pause)
  }
}
