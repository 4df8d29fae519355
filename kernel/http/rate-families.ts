import type { Config, PlanName } from '../../config/config.ts'
import type { RateStore } from './rate-store.ts'
import { createWindow, type Window } from './rate-window.ts'

/** Requests that are counted together. */
export type Family = 'requests' | 'pages' | 'conversions' | 'uploads' | 'downloads' | 'authentication'

/** How a refusal names the requests of each family. */
export const FAMILY_NAMES: Readonly<Record<Family, string>> = {
  requests: 'API requests',
  pages: 'further pages of a list',
  conversions: 'conversions',
  uploads: 'uploads and imports',
  downloads: 'downloads',
  authentication: 'sign-in requests',
}

const BY_RESOURCE: Readonly<Record<string, Family>> = { auth: 'authentication', uploads: 'uploads', files: 'downloads' }

/**
 * The family of a request under /api. Reading conversions and asking for options have none: only the ceiling counts.
 * @param query The raw query string.
 */
export function familyOf(method: string, path: string, query = ''): Family | undefined {
  if (method === 'OPTIONS') return undefined
  // Somebody with a stolen session may not try passwords faster than at the front door.
  if (path.startsWith('/api/users/me/password')) return 'authentication'
  const [, , resource = '', ...rest] = path.split('/')
  const reads = method === 'GET' || method === 'HEAD'
  if (resource === 'conversions' && method === 'POST') return 'conversions'
  if (resource === 'conversions' && reads) return undefined
  // What imports a file counts like an upload; listing, connecting and disconnecting do not.
  if (resource === 'import') return method === 'POST' && rest.length === 1 ? 'uploads' : 'requests'
  // Otherwise a guest could not read the catalogue to its end.
  if (path === '/api/tools' && reads && new URLSearchParams(query).get('cursor')) return 'pages'
  return Object.hasOwn(BY_RESOURCE, resource) ? BY_RESOURCE[resource] : 'requests'
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Pages that one API request may go on to, in both windows. */
const PAGES_PER_REQUEST = 10

/** The windows of every family, the shorter one first; API requests have them by plan. A limit of null has no window. */
export function createFamilies(
  { plans, rates }: Pick<Config, 'plans' | 'rates'>,
  store: RateStore,
): (family: Family, plan: PlanName) => readonly Window[] {
  const windows = (name: string, perMinute: number | null, perHour: number | null) => [
    ...(perMinute === null ? [] : [createWindow(store, `${name}:minute`, perMinute, MINUTE)]),
    ...(perHour === null ? [] : [createWindow(store, `${name}:hour`, perHour, HOUR)]),
  ]
  const alike = (name: keyof typeof rates & Family) => windows(name, rates[name].perMinute, rates[name].perHour)
  const byPlan = (name: string, times: number) =>
    Object.fromEntries(
      Object.entries(plans).map(([plan, { requestsPerMinute, requestsPerHour }]) => [
        plan,
        windows(
          `${name}:${plan}`,
          requestsPerMinute && requestsPerMinute * times,
          requestsPerHour && requestsPerHour * times,
        ),
      ]),
    )
  const [requests, pages] = [byPlan('requests', 1), byPlan('pages', PAGES_PER_REQUEST)]
  const others = {
    conversions: alike('conversions'),
    uploads: alike('uploads'),
    downloads: alike('downloads'),
    authentication: alike('authentication'),
  }
  return (family, plan) => {
    if (family === 'requests') return requests[plan]!
    return family === 'pages' ? pages[plan]! : others[family]
  }
}
