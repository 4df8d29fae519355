import ipaddr from 'ipaddr.js'
import type { PlanName } from '../../config/config.ts'
import { digestOf } from './digest.ts'

/** Who owns and pays for a new conversion, and under which plan. */
export type Payer = Pick<Owner, 'id' | 'plan' | 'chargeTo'>

/** The owner of files and conversions. */
export interface Owner {
  /** `guest_…` or `user_…`: at most 64 characters. */
  id: string
  kind: 'guest' | 'user'
  plan: PlanName
  /** Subjects of quotas; each is charged in full: the account's id, or a guest's address and fingerprint. */
  chargeTo: readonly string[]
  /** The guest with the user's address and fingerprint. What it made before the sign-in belongs to the user too. */
  guest?: string
  /**
   * Strangers may be the same guest: an untrusted proxy hides the clients, and the fingerprint is missing. So lists omit
   * it.
   */
  shared?: true
  /** The team for which the request is made. */
  team?: Payer
}

/** Ids of the owners in a list: only the team, if the request is for one. */
export const ownersSeenBy = ({ id, guest, team }: Owner) =>
  team ? [team.id] : guest === undefined ? [id] : [id, guest]

/** Whether this owner may see and change things of the owner `id`. */
export const owns = (owner: Owner, id: string | undefined) =>
  id !== undefined && (id === owner.id || id === owner.guest)

/**
 * Returns the guest of an address and a fingerprint. If either changes, it is another guest.
 *
 * @param hearsay The client according to an untrusted proxy. It only distinguishes guests without a fingerprint. The
 *   proxy's own address is charged; otherwise a header could reset quotas.
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

/** Returns what counts as one client: an IPv4 address, or the /64 of an IPv6 subscriber (RFC 6177). */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 4)
  return `${prefix.map((part) => part.toString(16)).join(':')}::/64`
}
