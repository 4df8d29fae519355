import { promises as dns, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Gate } from './addresses.ts'
import { importFailed, urlNotAllowed } from './failures.ts'

/** Milliseconds for one answer of a name server, and how often each is asked. */
const PATIENCE = { timeout: 2500, tries: 2 }

/**
 * A lookup for `net.connect`: asks DNS for all addresses of a name, and gives them only when every one may be
 * connected to. The connection goes to what was given here, so that nothing can change between check and connect.
 *
 * It asks DNS alone, not the files of this machine, and keeps no thread busy while a hostile server is slow.
 *
 * @param nameServers Those to ask, with an optional port; none: the system's.
 */
export function createLookup(gate: Gate, nameServers: readonly string[]): (field: string) => LookupFunction {
  async function addressesOf(host: string): Promise<LookupAddress[]> {
    const name = host.replace(/\.$/, '')
    // RFC 6761 §6.3: never asked of DNS.
    if (/(^|\.)localhost$/i.test(name)) return [{ address: '127.0.0.1', family: 4 }]
    // Made anew, since the system's servers may have changed.
    const resolver = new dns.Resolver(PATIENCE)
    if (nameServers.length) resolver.setServers(nameServers)
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [
      ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 })),
      ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 })),
    ]
    if (!found.length) throw importFailed(`The name ${host} was not found`, (v4 as PromiseRejectedResult).reason)
    return found
  }

  return (field) => (host, options, done) => {
    addressesOf(host).then(
      (addresses) => {
        if (!addresses.every(({ address }) => gate(address))) {
          return done(urlNotAllowed(field, 'leads to an address that is not public'), [])
        }
        if (options.all) return done(null, addresses)
        done(null, addresses[0]!.address, addresses[0]!.family)
      },
      (error) => done(error, []),
    )
  }
}
