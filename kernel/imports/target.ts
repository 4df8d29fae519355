import { isIP } from 'node:net'
import { ServiceError } from '../errors.ts'
import type { Gate } from './addresses.ts'
import { urlNotAllowed } from './failures.ts'

/** Ports of other protocols, which a crafted request could abuse: the "bad ports" of the Fetch Standard §2.9. */
const FOREIGN_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/**
 * Parses a client's URL. The URL Standard normalises all ways to write an address: decimal, octal, hexadecimal, short,
 * with a trailing dot.
 *
 * @param field Name of the field in error messages.
 * @throws ServiceError BAD_REQUEST if the text is not a URL; otherwise as `requireTarget`.
 */
export function readTarget(text: string, gate: Gate, field: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) throw new ServiceError('BAD_REQUEST', `${field} must be an absolute http or https URL`)
  requireTarget(url, gate, field)
  return url
}

/** Checks what can be checked before a name is resolved. @throws ServiceError URL_NOT_ALLOWED. */
export function requireTarget(url: URL, gate: Gate, field: string): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw urlNotAllowed(field, 'has a scheme other than http and https')
  if (url.username || url.password) throw urlNotAllowed(field, 'contains a user name or password')
  if (url.port && FOREIGN_PORTS.has(Number(url.port))) throw urlNotAllowed(field, 'has the port of another protocol')
  const host = hostOf(url)
  // Node connects to an IP address without a lookup, so that only this check applies.
  if (isIP(host) && !gate(host)) throw urlNotAllowed(field, 'has an address that is not public')
}

/** Returns the host without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')
