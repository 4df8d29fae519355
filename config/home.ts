import { networkInterfaces } from 'node:os'

const UNLIMITED = { perMinute: null, perHour: null }

/** Without API keys: guests cannot have any. */
const limitless = {
  maxFileSize: null,
  pendingJobs: null,
  heavyConcurrency: null,
  conversionsPerDay: null,
  bytesPerDay: null,
  storedBytes: null,
  maxResultSize: null,
  requestsPerMinute: null,
  requestsPerHour: null,
  filesPerBatch: null,
}
const account = { ...limitless, apiKeys: null }

/**
 * The profile for a household or an office on its own network: no limits, no registration, and also the plugins that
 * are closed elsewhere. The operator's file overrides it. The kernel restricts access to private networks (`profile:
 * home`).
 */
export const homeProfile = {
  plans: { guest: limitless, free: account, pro: account, business: account },
  rates: { conversions: UNLIMITED, uploads: UNLIMITED, downloads: UNLIMITED, authentication: UNLIMITED, ceiling: null },
  accounts: { registration: false, registrationsPerDay: null },
  plugins: { subtitle: true, font: true },
}

/** Returns the address to listen on all interfaces, over IPv4 and, if the machine has it, IPv6. */
export const allInterfaces = () =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ family }) => family === 'IPv6'))
    ? '::'
    : '0.0.0.0'

/** Merges two trees key by key. Lists and values of `above` replace those of `below`. */
export function layOver(
  below: Readonly<Record<string, unknown>>,
  above: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const result: Record<string, unknown> = structuredClone(below)
  for (const [key, value] of Object.entries(above)) {
    const under = result[key]
    result[key] = isTree(under) && isTree(value) ? layOver(under, value) : value
  }
  return result
}

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
