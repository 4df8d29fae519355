import type { Config, PlanName } from '../../config/config.ts'
import type { RateStore } from './rate-store.ts'
import { createWindow, type Window } from './rate-window.ts'

/** Requests that are counted together. */
export type Family = 'requests' | 'conversions' | 'uploads' | 'downloads' | 'authentication'

const BY_RESOURCE: Readonly<Record<string, Family>> = {
  auth: 'authentication',
  uploads: 'uploads',
  import: 'uploads',
  files: 'downloads',
}

/** The family of a request under /api. Reading conversions and asking for options have none: only the ceiling counts. */
export function familyOf(method: string, path: string): Family | undefined {
  if (method === 'OPTIONS') return undefined
  // Somebody with a stolen session may not try passwords faster than at the front door.
  if (path.startsWith('/api/users/me/password')) return 'authentication'
  const resource = path.split('/', 3)[2]!
  if (resource === 'conversions' && method === 'POST') return 'conversions'
  if (resource === 'conversions' && (method === 'GET' || method === 'HEAD')) return undefined
  return Object.hasOwn(BY_RESOURCE, resource) ? BY_RESOURCE[resource] : 'requests'
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The windows of every family, the shorter one first; API requests have them by plan. A limit of null has no window. */
export function createFamilies(
  { plans, rates }: Pick<Config, 'plans' | 'rates'>,
  store: RateStore,
): (family: Family, plan: PlanName) => readonly Window[] {
  const windows = (name: string, perMinute: number | null, perHour: number | null) => [
    ...(perMinute === null ? [] : [createWindow(store, `${name}:minute`, perMinute, MINUTE)]),
    ...(perHour === null ? [] : [createWindow(store, `${name}:hour`, perHour, HOUR)]),
  ]
  const alike = (name: Exclude<Family, 'requests'>) => windows(name, rates[name].perMinute, rates[name].perHour)
  const requests = Object.fromEntries(
    Object.entries(plans).map(([plan, { requestsPerMinute, requestsPerHour }]) => [
      plan,
      windows(`requests:${plan}`, requestsPerMinute, requestsPerHour),
    ]),
  )
  const others = {
    conversions: alike('conversions'),
    uploads: alike('uploads'),
    downloads: alike('downloads'),
    authentication: alike('authentication'),
  }
  return (family, plan) => (family === 'requests' ? requests[plan]! : others[family])
}
