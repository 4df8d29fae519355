import ipaddr from 'ipaddr.js'

/** Loopback, RFC 1918, unique local (RFC 4193), link-local, carrier-grade NAT (RFC 6598). */
const PRIVATE = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'])

/** Whether an address belongs to this machine or to a private network. False for text that is not an address. */
export const isPrivate = (address: string) => PRIVATE.has(rangeOf(address))

export const isLoopback = (address: string) => rangeOf(address) === 'loopback'

function rangeOf(address: string): string {
  const bare = address.replace(/%.*$/, '')
  return ipaddr.isValid(bare) ? ipaddr.process(bare).range() : ''
}
