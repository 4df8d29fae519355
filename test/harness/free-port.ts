import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/** The first port that the kernel gives to connections, and to servers that ask for any port: ip(7). */
const ephemeral = Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10)
/** Ports below. Some machines leave none; then no port is safe. */
const LOWEST = 10_000
const HIGHEST = ephemeral > 12_000 ? ephemeral : 32_768

/**
 * Returns a free TCP port of loopback. No connection, and no server on port 0, takes it before or between its uses.
 * Another test could choose the same one of more than 20,000.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    const server = createServer()
    const listens = once(server.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    )
    if (!(await listens)) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}
