import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/** proc(5): lines of `sl: local_address rem_address st tx_queue:rx_queue …`, numbers in hexadecimal. */
const LINE = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+:[0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):/gm

/**
 * Reads how many bytes of each TCP connection the operating system has sent or will send, and the peer has not
 * acknowledged. Resolves to a function that returns 0 for unknown connections, and for all if `/proc/net` cannot be
 * read.
 */
export async function readUnacknowledged(): Promise<(socket: Socket) => number> {
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
