import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Logger } from 'pino'
import type { Config } from '../../../config/config.ts'
import { READ } from '../../storage/local.ts'
import { readUnacknowledged } from './unacknowledged.ts'

/** What is known of a connection whose client has more to read. */
interface Reading {
  /** Bytes that the client had when it was last looked at. */
  had: number
  /** Bytes by which it is behind the pace; never below 0. */
  behind: number
}

/** How often all connections are looked at, in parts of the grace. */
const LOOKS = 5

/**
 * Closes connections whose client reads answers slower than the pace: each holds buffers, and a download holds a file.
 * Only what waits for the client counts against it, never what the service has not made yet.
 *
 * The kernel takes bytes in bursts of up to megabytes, so that a slow and steady reader would seem to stop for minutes.
 * What counts is therefore what the client has acknowledged.
 */
export function keepAnswersMoving(
  server: Server,
  { tls, http: { downloadPace, downloadGrace } }: Pick<Config, 'tls' | 'http'>,
  log: Logger,
): void {
  const readings = new Map<Socket, Reading | undefined>()
  const note = (socket: Socket) => {
    readings.set(socket, undefined)
    socket.once('close', () => readings.delete(socket))
  }
  // Of a TLS connection the application sees the inner socket alone.
  server.on(tls ? 'secureConnection' : 'connection', note)
  // A write of which the kernel has a part counts when it is whole.
  const most = (downloadGrace / 1000) * downloadPace + READ
  let last = performance.now()
  let looking = false

  async function look(): Promise<void> {
    const waiting: Socket[] = []
    for (const socket of readings.keys()) {
      if (socket.writableLength > 0) waiting.push(socket)
      else readings.set(socket, undefined)
    }
    const unacknowledged = waiting.length ? await readUnacknowledged() : () => 0
    const seconds = (performance.now() - last) / 1000
    last = performance.now()
    for (const socket of waiting) {
      if (socket.destroyed) continue
      const had = socket.bytesWritten - socket.writableLength - unacknowledged(socket)
      const before = readings.get(socket)
      const behind = before ? Math.max(0, before.behind + seconds * downloadPace - (had - before.had)) : 0
      readings.set(socket, { had, behind })
      if (behind <= most) continue
      log.info({ peer: socket.remoteAddress, pace: downloadPace }, 'a client read too slowly: connection closed')
      // A reset also drops what the kernel still holds for the client; TLS has none of its own.
      if ((socket as TLSSocket).encrypted) socket.destroy()
      else socket.resetAndDestroy()
    }
  }

  const timer = setInterval(async () => {
    if (looking) return
    looking = true
    await look()
    looking = false
  }, downloadGrace / LOOKS)
  server.once('close', () => clearInterval(timer))
  timer.unref()
}
