import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import ipaddr from 'ipaddr.js'
import type { Logger } from 'pino'
import type { Config } from '../../../config/config.ts'
import { READ } from '../../files/storage/storage.ts'

/** How a client reads its answers. */
interface Reading {
  /** Bytes that the client had at the last check. */
  had: number
  /** Bytes by which the client is behind the pace, 0 or more. */
  behind: number
}

/** How often all connections are checked during the grace. */
const CHECKS_PER_GRACE = 5

/**
 * Closes connections of clients that read answers slower than the pace. Each holds buffers, and a download holds a
 * file. Only bytes that wait for the client count, never those that the service has not made yet.
 *
 * The operating system takes bytes in bursts of up to megabytes, so a slow and steady reader would seem to stop for
 * minutes. So bytes count as read when the client has acknowledged them.
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
  // With TLS, the application sees the inner socket only.
  server.on(tls ? 'secureConnection' : 'connection', note)
  // A write counts when the operating system has all of it.
  const max = (downloadGrace / 1000) * downloadPace + READ
  let last = performance.now()
  let checking = false

  async function check(): Promise<void> {
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
      if (behind <= max) continue
      log.info({ peer: socket.remoteAddress, pace: downloadPace }, 'a client read too slowly: connection closed')
      // A reset also drops what the operating system still holds for the client. TLS sockets have no reset.
      if ((socket as TLSSocket).encrypted) socket.destroy()
      else socket.resetAndDestroy()
    }
  }

  const timer = setInterval(async () => {
    if (checking) return
    checking = true
    await check()
    checking = false
  }, downloadGrace / CHECKS_PER_GRACE)
  server.once('close', () => clearInterval(timer))
  timer.unref()
}

/** proc(5): lines of `sl: local_address rem_address st tx_queue:rx_queue …`, numbers in hexadecimal. */
const LINE = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+:[0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):/gm

/**
 * Reads how many bytes of each TCP connection the operating system has sent or will send, and the peer has not
 * acknowledged. Resolves to a function that returns 0 for unknown connections, and for all if `/proc/net` cannot be
 * read.
 */
async function readUnacknowledged(): Promise<(socket: Socket) => number> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'latin1').catch(() => '')),
  )
  const bytes = new Map<string, number>()
  for (const table of tables) {
    for (const [, port, remote, queued = ''] of table.matchAll(LINE)) {
      if (queued !== '00000000') bytes.set(`${port} ${remote}`, Number.parseInt(queued, 16))
    }
  }
  return (socket) =>
    bytes.get(`${port(socket.localPort)} ${address(socket.remoteAddress)}:${port(socket.remotePort)}`) ?? 0
}

const port = (number = 0) => number.toString(16).toUpperCase().padStart(4, '0')

/** Each 32 bits of an address in the byte order of the machine, which is little-endian. */
function address(text = ''): string {
  if (!ipaddr.isValid(text)) return ''
  const bytes = Buffer.from(ipaddr.parse(text).toByteArray())
  return bytes.swap32().toString('hex').toUpperCase()
}
