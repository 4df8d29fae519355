import ipaddr from 'ipaddr.js'
import type { PlanName } from '../../config/config.ts'
import { digestOf } from './digest.ts'

/** Whose a conversion that is started becomes, by whose plan it is judged, and to what it is charged. */
export type Payer = Pick<Owner, 'id' | 'plan' | 'chargeTo'>

/** Whose a file or a conversion is. */
export interface Owner {
  /** `guest_…` or `user_…`: at most 64 characters. */
  id: string
  kind: 'guest' | 'user'
  plan: PlanName
  /** What quotas are charged to, all alike: the account's id, or a guest's address and fingerprint. */
  chargeTo: readonly string[]
  /** The guest that the user was before signing in: same address, same fingerprint. What it made is the user's too. */
  guest?: string
  /**
   * Whether strangers may be this guest too: an unknown proxy names no client and there is no fingerprint. It lists nothing.
   */
  shared?: true
  /** The team that the request is for. */
  team?: Payer
}

/** Whose things this owner lists: those of a team when the request is for it. */
export const ownersSeenBy = ({ id, guest, team }: Owner) =>
  team ? [team.id] : guest === undefined ? [id] : [id, guest]

/** Whether something of the owner `id` is this owner's to see and to change. */
export const owns = (owner: Owner, id: string | undefined) =>
  id !== undefined && (id === owner.id || id === owner.guest)

/**
 * The owner that a guest's address and fingerprint make: what one of them changes is another guest's.
 *
 * @param hearsay Whom a proxy that is not trusted names. It keeps guests without a fingerprint apart; with one it is
 *   ignored, as a header of an untrusted peer. The proxy's address is charged, or a header would refill quotas.
 */
export function guestOwner(address: string, fingerprint: string | undefined, hearsay?: string): Owner {
  const network = networkOf(address)
  const through = hearsay === undefined || fingerprint ? '' : `\0${hearsay}`
  return {
    id: `guest_${digest(`${network}\0${fingerprint ?? ''}${through}`)}`,
    ...(hearsay === '' && !fingerprint && { shared: true }),
    kind: 'guest',
    plan: 'guest',
    // Changing one of the two does not refill what the other has used.
    chargeTo: [`address_${digest(network)}`, ...(fingerprint ? [`fingerprint_${digest(fingerprint)}`] : [])],
  }
}

const digest = (text: string) => digestOf(text).slice(0, 40)

/** What counts as one client of an address: an IPv4 address, or the /64 that an IPv6 subscriber is given (RFC 6177). */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 4)
  return `${prefix.map((part) => part.toString(16)).join(':')}::/64`
}
