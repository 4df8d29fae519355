import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Returns true if connections to an IPv4 or IPv6 address are allowed; false also if the text is no address. */
export type Gate = (address: string) => boolean

/** The global unicast space that IANA assigns (RFC 4291 §2.4). Addresses outside it have other meanings. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** Public addresses that the host itself serves: Azure's agent hands out a machine's secrets at this one. */
const VIRTUAL_HOSTS = new Set(['168.63.129.16'])

/**
 * Creates a gate that allows public addresses, and those in the given networks.
 *
 * A public address is in the global unicast space and in none of its special-purpose parts (RFC 6890, by ipaddr.js).
 * This excludes IPv4-mapped IPv6, 6to4, Teredo and NAT64 (RFC 6052), which can hide a private IPv4 address. This
 * machine's own addresses are not public: a service that listens there may be closed to others.
 *
 * @param networks Addresses or CIDR ranges that are also allowed.
 */
export function createGate(networks: readonly string[]): Gate {
  const isAllowed = createRanges(networks)
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.parse(text)
    return isAllowed(text) || (isPublic(address) && !isOwn(address.toString()))
  }
}

/**
 * Returns a function that says whether an address is in one of these networks. An IPv4-mapped address (::ffff:…) is in
 * IPv4 networks, too.
 *
 * @param networks Addresses or CIDR ranges.
 */
export function createRanges(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.map((network): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
    if (network.includes('/')) return ipaddr.parseCIDR(network)
    const address = ipaddr.parse(network)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  })
  return (text) => {
    const address = ipaddr.process(text)
    return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
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
