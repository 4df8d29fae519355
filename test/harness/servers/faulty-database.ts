import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

/** What a proxy does with one statement instead of passing it on. */
export type StatementFault =
  /** Closes the connection, and the server never gets the statement. */
  | 'drop'
  /** Passes it on, and closes the connection instead of the answer. The server has done the work. */
  | 'lose'

/** A proxy in front of MariaDB, which breaks connections in the middle of statements. */
export interface FaultyDatabase extends AsyncDisposable {
  /** Of the same database, through the proxy. */
  url: string
  /** Decides about each statement of a connection. Undefined: it is passed on. */
  fault: (sql: string, connection: Socket) => StatementFault | undefined
  /** Called when the first bytes of the answer have arrived, before they are passed on or lost. */
  answered: (sql: string) => void
  /** Closes all connections and refuses new ones, until it is called with false. */
  setAway(away: boolean): void
  /** Connections that it has refused. */
  refused(): number
}

/** The first byte of a packet with a statement: the protocol's COM_QUERY. */
const QUERY = 3

/** Starts such a proxy on loopback. @param url Names a Unix socket, as those of `startMariaDb` do. */
export async function startFaultyDatabase(url: string): Promise<FaultyDatabase> {
  const place = new URL(url)
  const socketPath = place.searchParams.get('socketPath')!
  const open = new Set<Socket>()
  let away = false
  let refused = 0
  const server = createServer(serve)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const closeAll = () => open.forEach((socket) => void socket.destroy())
  const proxy: FaultyDatabase = {
    url: `mysql://root@127.0.0.1:${(server.address() as AddressInfo).port}${place.pathname}`,
    fault: () => undefined,
    answered: () => {},
    setAway(now) {
      away = now
      if (away) closeAll()
    },
    refused: () => refused,
    async [Symbol.asyncDispose]() {
      server.close()
      closeAll()
    },
  }

  function serve(client: Socket): void {
    if (away) {
      refused++
      return void client.destroy()
    }
    const target = createConnection(socketPath)
    const both = [client, target]
    const close = () => both.forEach((socket) => void socket.destroy())
    for (const socket of both) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', close).on('close', () => {
        open.delete(socket)
        close()
      })
    }
    let statement: string | undefined
    let fault: StatementFault | undefined
    const packets = packetReader((payload) => {
      if (payload[0] !== QUERY) return
      statement = payload.toString('utf8', 1)
      fault = proxy.fault(statement, client)
    })
    client.on('data', (chunk) => {
      packets(chunk)
      if (fault === 'drop') return close()
      target.write(chunk)
    })
    target.on('data', (chunk) => {
      if (statement !== undefined) proxy.answered(statement)
      if (fault) return close()
      statement = undefined
      client.write(chunk)
    })
  }

  return proxy
}

/**
 * Returns what takes the bytes of a client, and calls `take` for each complete packet: 3 bytes of length, a number, the
 * rest.
 */
function packetReader(take: (payload: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 4 && rest.length >= 4 + rest.readUIntLE(0, 3)) {
      const end = 4 + rest.readUIntLE(0, 3)
      take(rest.subarray(4, end))
      rest = rest.subarray(end)
    }
  }
}
