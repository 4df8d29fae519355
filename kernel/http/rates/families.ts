import type { Config, PlanName } from '../../../config/config.ts'
import type { RateStore } from './store.ts'
import { createWindow, type Window } from './window.ts'

/** Requests that one limit counts together. */
export type RateFamily = 'requests' | 'pages' | 'conversions' | 'uploads' | 'downloads' | 'authentication'

/** Names of the families in refusals. */
export const FAMILY_NAMES: Readonly<Record<RateFamily, string>> = {
  requests: 'API requests',
  pages: 'further pages of a list',
  conversions: 'conversions',
  uploads: 'uploads and imports',
  downloads: 'downloads',
  authentication: 'sign-in requests',
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Further pages that are allowed for each API request, in both windows. */
const PAGES_PER_REQUEST = 10

/**
 * The windows of every family, the shorter one first. Those of API requests depend on the plan. A limit of null has no
 * window.
 */
export function createFamilies(
  { plans, rates }: Pick<Config, 'plans' | 'rates'>,
  store: RateStore,
): (family: RateFamily, plan: PlanName) => readonly Window[] {
  const windows = (name: string, perMinute: number | null, perHour: number | null) => [
    ...(perMinute === null ? [] : [createWindow(store, `${name}:minute`, perMinute, MINUTE)]),
    ...(perHour === null ? [] : [createWindow(store, `${name}:hour`, perHour, HOUR)]),
  ]
  const alike = (name: keyof typeof rates & RateFamily) => windows(name, rates[name].perMinute, rates[name].perHour)
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
  const requests = byPlan('requests', 1)
  const pages = byPlan('pages', PAGES_PER_REQUEST)
  const others = {
    conversions: alike('conversions'),
    uploads: alike('uploads'),
    downloads: alike('downloads'),
    authentication: alike('authentication'),
  }
  return (family, plan) => {
    // biome-ignore lint/style/noNonNullAssertion: each plan has windows.
    if (family === 'requests') return requests[plan]!
    // biome-ignore lint/style/noNonNullAssertion: each plan has windows.
    return family === 'pages' ? pages[plan]! : others[family]
  }
}
