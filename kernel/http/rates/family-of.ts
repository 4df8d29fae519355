import type { State } from '../context.ts'
import type { RateFamily } from './families.ts'

/** The part of a request that its family depends on. */
interface Asked {
  method: string
  /** The raw query string. */
  querystring: string
  state: Pick<State, 'operation'>
}

/** Returns the family of a request's rate limits. Undefined: only the ceiling counts the request. */
export function familyOf({ method, querystring, state: { operation } }: Asked): RateFamily | undefined {
  if (method === 'OPTIONS') return undefined
  if (!operation) return 'requests'
  const { rate, rateOfFurtherPages } = operation
  // Otherwise a guest could not read the catalogue to its end.
  if (rateOfFurtherPages && new URLSearchParams(querystring).get('cursor')) return rateOfFurtherPages
  return rate === 'none' ? undefined : rate
}
