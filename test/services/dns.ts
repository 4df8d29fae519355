import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { decode, encode } from 'dns-packet'

/** A DNS server of the test's own. */
export interface DnsServer extends AsyncDisposable {
  /** As `nameServers` of the configuration names it. */
  address: string
  /** Addresses by name. A function is called for each query of an IPv4 address. */
  names: Map<string, readonly string[] | (() => readonly string[])>
  /** The names that were asked for. */
  asked: string[]
}

/** Starts a DNS server over UDP (RFC 1035) on loopback; names that it does not have do not exist. */
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
    // Both families are asked for at once: what changes with each question changes with the first of the two.
    const all = typeof entry === 'function' ? (type === 'A' ? entry() : []) : (entry ?? [])
    const fitting = all.filter((address) => isIPv6(address) === (type === 'AAAA'))
    const answers = fitting.map((data) => ({ type: type as 'A', name, ttl: 0, data }))
    const flags = 0x0180 | (entry ? 0 : 3)
    socket.send(encode({ type: 'response', id, flags, questions, answers }), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    ...{ address: `127.0.0.1:${socket.address().port}`, names, asked },
    async [Symbol.asyncDispose]() {
      socket.close()
    },
  }
}
