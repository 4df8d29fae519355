import ipaddr from 'ipaddr.js'
import type { PlanName } from '../../config/config.ts'
import { digestOf } from './digest.ts'

/** Who owns and pays for a new conversion, and by which plan. */
export type Payer = Pick<Owner, 'id' | 'plan' | 'chargeTo'>

/** The owner of files and conversions. */
export interface Owner {
  /** `guest_…` or `user_…`: at most 64 characters. */
  id: string
  kind: 'guest' | 'user'
  plan: PlanName
  /** Subjects that quotas are charged to, each in full: the account's id, or a guest's address and fingerprint. */
  chargeTo: readonly string[]
  /** The guest with the user's address and fingerprint: what it made before the sign-in is the user's too. */
  guest?: string
  /**
   * Strangers may be this guest too: a proxy that is not trusted names no client, and there is no fingerprint. So it lists
   * nothing.
   */
  shared?: true
  /** The team that the request is made for. */
  team?: Payer
}

/** Ids of the owners whose things a list shows: the team's, if the request is for one. */
export const ownersSeenBy = ({ id, guest, team }: Owner) =>
  team ? [team.id] : guest === undefined ? [id] : [id, guest]

/** Whether this owner may see and change what the owner `id` has. */
export const owns = (owner: Owner, id: string | undefined) =>
  id !== undefined && (id === owner.id || id === owner.guest)

/**
 * The guest of an address and a fingerprint. If either changes, it is another guest.
 *
 * @param hearsay The client that a proxy names which is not trusted. It only tells guests without a fingerprint apart.
 *   The proxy's own address is charged: otherwise a header would refill quotas.
 */
export function guestOwner(address: string, fingerprint: string | undefined, hearsay?: string): Owner {
  const network = networkOf(address)
  const through = hearsay === undefined || fingerprint ? '' : `\0${hearsay}`
  return {
    id: `guest_${digest(`${network}\0${fingerprint ?? ''}${through}`)}`,
    ...(hearsay === '' && !fingerprint && { shared: true }),
    kind: 'guest',
    plan: 'guest',
    // Both are charged, so changing one of them does not reset the quota.
    chargeTo: [`address_${digest(network)}`, ...(fingerprint ? [`fingerprint_${digest(fingerprint)}`] : [])],
  }
}

const digest = (text: string) => digestOf(text).slice(0, 40)

/** What counts as one client: an IPv4 address, or the /64 that an IPv6 subscriber gets (RFC 6177). */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 4)
  return `${prefix.map((part) => part.toString(16)).join(':')}::/64`
}
