import { promises as dns, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Gate } from './addresses.ts'
import { importFailed, urlNotAllowed } from './failures.ts'

/** Timeout of a DNS query in milliseconds, and the number of attempts per name server. */
const DNS_LIMITS = { timeout: 2500, tries: 2 }

/**
 * Maximum number of addresses of each family. An answer has room for 4,000 of them. Each is compared with this
 * machine's own, which takes up to 0.4 ms, and each that does not answer would be tried for 250 ms.
 */
const MAX_ADDRESSES = 8

/**
 * Creates a lookup for `net.connect`. It resolves the first addresses of a name, and returns them only if the gate
 * allows every one. The connection uses these addresses, so that they cannot change between check and connect.
 *
 * It resolves names by DNS only, not by this machine's files, and blocks no thread while a hostile server is slow.
 *
 * @param nameServers Name servers to query, with an optional port; if empty, those of the system.
 */
export function createLookup(gate: Gate, nameServers: readonly string[]): (field: string) => LookupFunction {
  async function addressesOf(host: string): Promise<LookupAddress[]> {
    const name = host.replace(/\.$/, '')
    // RFC 6761 §6.3: localhost names must not be sent to DNS.
    if (/(^|\.)localhost$/i.test(name)) return [{ address: '127.0.0.1', family: 4 }]
    // A new resolver for each name, since the system's name servers may have changed.
    const resolver = new dns.Resolver(DNS_LIMITS)
    if (nameServers.length) resolver.setServers(nameServers)
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [v4, v6].flatMap((answer, at) =>
      (answer.status === 'fulfilled' ? answer.value : [])
        .slice(0, MAX_ADDRESSES)
        .map((address) => ({ address, family: at === 0 ? 4 : 6 })),
    )
    if (!found.length) throw importFailed(`The host name ${host} was not found`, (v4 as PromiseRejectedResult).reason)
    return found
  }

  return (field) => (host, options, done) => {
    addressesOf(host).then(
      (addresses) => {
        if (!addresses.every(({ address }) => gate(address))) {
          return done(urlNotAllowed(field, 'resolves to an address that is not public'), [])
        }
        if (options.all) return done(null, addresses)
        const [first] = addresses
        done(null, first?.address ?? '', first?.family)
      },
      (error) => done(error, []),
    )
  }
}
