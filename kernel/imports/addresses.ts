import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Whether a connection to an address is allowed. The text must be an IPv4 or IPv6 address in a usual form. */
export type Gate = (address: string) => boolean

/** What IANA gives out as global unicast (RFC 4291 §2.4); all that lies outside means something else. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** Public by its number, and yet served by the host below: Azure's agent hands out a machine's secrets there. */
const VIRTUAL_HOSTS = new Set(['168.63.129.16'])

/**
 * Lets public addresses pass, and those in the given networks.
 *
 * Public is what lies in the global unicast space and in none of its special-purpose parts (RFC 6890, by ipaddr.js):
 * so no IPv4 in IPv6 clothes, 6to4, Teredo or NAT64 (RFC 6052), through which a private IPv4 address could be meant.
 * Addresses of this machine are not public to it: what listens there may be closed to others.
 *
 * @param networks Addresses or CIDRs that pass besides.
 */
export function createGate(networks: readonly string[]): Gate {
  const allowed = networks.map((network): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
    if (network.includes('/')) return ipaddr.parseCIDR(network)
    const address = ipaddr.parse(network)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  })
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.parse(text)
    // Only an IPv4 address in the form ::ffff:… is looked at in both of its clothes, and only here.
    const plain = ipaddr.process(text)
    if (allowed.some(([network, bits]) => network.kind() === plain.kind() && plain.match(network, bits))) return true
    return isPublic(address) && !isOwn(address.toString())
  }
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast' || VIRTUAL_HOSTS.has(address.toString())) return false
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6)
}

const isOwn = (address: string) =>
  Object.values(networkInterfaces()).some((all) =>
    all?.some((own) => ipaddr.parse(own.address.replace(/%.*$/, '')).toString() === address),
  )
