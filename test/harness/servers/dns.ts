import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { decode, encode } from 'dns-packet'

/** A DNS server for a test. */
export interface DnsServer extends AsyncDisposable {
  /** Its address for `nameServers` of the configuration. */
  address: string
  /** Addresses by name. A function is called for each query of an IPv4 address. */
  names: Map<string, readonly string[] | (() => readonly string[])>
  /** Names of all queries. */
  asked: string[]
}

/** Starts a DNS server over UDP (RFC 1035) on loopback. Unknown names do not exist. */
export async function startDns(): Promise<DnsServer> {
  const names: DnsServer['names'] = new Map()
  const asked: string[] = []
  const socket = createSocket('udp4').on('message', (message, from) => {
    const { id, questions = [] } = decode(message)
    const [question] = questions
    if (!question) return
    const { name, type } = question
    asked.push(name)
    const entry = names.get(name.toLowerCase())
    // Both families are queried at once. An answer that changes with each query changes with the first of the two.
    const all = typeof entry === 'function' ? (type === 'A' ? entry() : []) : (entry ?? [])
    const fitting = all.filter((address) => isIPv6(address) === (type === 'AAAA'))
    const answers = fitting.map((data) => ({ type: type as 'A', name, ttl: 0, data }))
    const flags = 0x0180 | (entry ? 0 : 3)
    socket.send(encode({ type: 'response', id, flags, questions, answers }), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    names,
    asked,
    async [Symbol.asyncDispose]() {
      socket.close()
    },
  }
}
