import ipaddr from 'ipaddr.js'
import type { Config, PlanName } from '../../config/config.ts'
import type { User } from '../database/tables/users.ts'
import { digestOf } from './secret.ts'

/** Who owns and pays for a new conversion, and under which plan. */
export type Payer = Pick<Owner, 'id' | 'plan' | 'chargeTo'>

/** The owner of files and conversions. */
export interface Owner {
  /** `guest_…` or `user_…`: at most 64 characters. */
  id: string
  kind: 'guest' | 'user'
  plan: PlanName
  /**
   * Subjects of quotas; each is charged in full: the account's id, or a guest's address and fingerprint. An account
   * that is not verified counts against its address, too.
   */
  chargeTo: readonly string[]
  /**
   * Who shares the limits of what happens at the same time: the account; or the network of a guest, or of an account
   * that is not verified. A lane of the queue.
   */
  client: string
  /** The guest with the user's address and fingerprint. What it made before the sign-in belongs to the user too. */
  guest?: string
  /**
   * Strangers may be the same guest: an untrusted proxy hides the clients, and the fingerprint is missing. So lists
   * omit it.
   */
  shared?: true
  /** The team for which the request is made. */
  team?: Payer & Pick<Owner, 'client'>
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
 * @param claimed The client, according to an untrusted proxy. It only distinguishes guests without a fingerprint. The
 *   proxy's own address is charged; otherwise a header could reset quotas.
 */
export function guestOwner(address: string, fingerprint: string | undefined, claimed?: string): Owner {
  const network = networkOf(address)
  const through = claimed === undefined || fingerprint ? '' : `\0${claimed}`
  return {
    id: `guest_${digest(`${network}\0${fingerprint ?? ''}${through}`)}`,
    ...(claimed === '' && !fingerprint && { shared: true }),
    kind: 'guest',
    plan: 'guest',
    // Both are charged, so changing one of them does not reset the quota.
    chargeTo: [addressSubject(address), ...(fingerprint ? [`fingerprint_${digest(fingerprint)}`] : [])],
    client: networkClient(address),
  }
}

/**
 * Returns the owner that an account is. Anybody can register many accounts of the free plan. So until its email address
 * is verified, or an operator gives it another plan, such an account also counts against the address of the request.
 *
 * @param address Undefined: it counts alone.
 */
export function accountOwner(
  { id, plan, verified }: Pick<User, 'id' | 'plan' | 'verified'>,
  address: string | undefined,
): Owner {
  const alone = { id, kind: 'user', plan, chargeTo: [id], client: id } as const
  if (verified || plan !== 'free' || address === undefined) return alone
  return { ...alone, chargeTo: [id, addressSubject(address)], client: networkClient(address) }
}

/** What an address is charged as: that of its smallest network. */
const addressSubject = (address: string) => `address_${digest(networkOf(address))}`

const digest = (text: string, length = 40) => digestOf(text).slice(0, length)

/** Returns what counts as one client: an IPv4 address, or the /64 of an IPv6 subscriber (RFC 6177). */
export const networkOf = (address: string): string => networksOf(address)[0] ?? address

/**
 * Returns an IPv4 address, or the networks of an IPv6 address, the smallest first. Providers give a subscriber a /64, a
 * /56 or a /48, so a client can use all networks in it.
 */
function networksOf(address: string): string[] {
  if (!ipaddr.isValid(address)) return [address]
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return [parsed.toString()]
  const [a = 0, b = 0, c = 0, d = 0] = (parsed as ipaddr.IPv6).parts
  const prefix = (last: number) => [a, b, c, last].map((part) => part.toString(16)).join(':')
  return [`${prefix(d)}::/64`, `${prefix(d & 0xff00)}::/56`, `${prefix(0)}::/48`]
}

/**
 * Returns subjects of quotas for an address and the networks around it, the smallest first.
 * @param what What they count.
 */
export const networkSubjects = (what: string, address: string): string[] =>
  networksOf(address).map((network) => `${what}_${digest(network)}`)

/** Names the network of an address, as a lane in those around it (database/lanes.ts): at most 64 characters. */
function networkClient(address: string): string {
  const networks = networksOf(address).toReversed()
  return `${NETWORK}${networks.map((network) => digest(network, networks.length > 1 ? 16 : 40)).join('.')}`
}

const NETWORK = 'network_'

/** Whether a client is a network, which guests and accounts share. */
export const isNetwork = (client: string) => client.startsWith(NETWORK)

/** Reads the subjects of a record's column `charged_to`, which are separated by spaces; null: none. */
export const readSubjects = (charged_to: string | null): string[] => charged_to?.split(' ') ?? []

/**
 * Returns when something that ends now is removed, in epoch milliseconds. Guests' things are kept for a shorter time.
 */
export function expiryOf(
  { owner }: { owner: string },
  { retention }: Pick<Config, 'retention'>,
  now = Date.now(),
): number {
  return now + (owner.startsWith('guest_') ? retention.guest : retention.account)
}

/** Loopback, RFC 1918, unique local (RFC 4193), link-local, carrier-grade NAT (RFC 6598). */
const PRIVATE = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'])

/** Whether an address belongs to this machine or to a private network. False for text that is not an address. */
export const isPrivate = (address: string) => PRIVATE.has(rangeOf(address))

export const isLoopback = (address: string) => rangeOf(address) === 'loopback'

function rangeOf(address: string): string {
  const bare = address.replace(/%.*$/, '')
  return ipaddr.isValid(bare) ? ipaddr.process(bare).range() : ''
}
