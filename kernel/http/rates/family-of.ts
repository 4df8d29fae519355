import type { State } from '../context.ts'
import type { Operation } from '../operation.ts'
import type { RateFamily } from './families.ts'

/** The part of a request that its family depends on. */
interface Asked {
  method: string
  path: string
  /** The raw query string. */
  querystring: string
  state: Pick<State, 'operation'>
}

/** Returns the family of a request's rate limits. Undefined: only the ceiling counts the request. */
export function createFamilyOf(operations: readonly Operation[]): (request: Asked) => RateFamily | undefined {
  const byResource = Map.groupBy(operations, ({ path }) => resourceOf(path))

  /** An unknown path or method counts like its neighbours, where these agree. */
  function familyOfUnknown(method: string, path: string): RateFamily | 'none' {
    const neighbours = byResource.get(resourceOf(path)) ?? []
    const alike = neighbours.filter((each) => each.method === method)
    const families = new Set((alike.length ? alike : neighbours).map(({ rate }) => rate))
    const [family = 'requests', ...others] = families
    return others.length ? 'requests' : family
  }

  return ({ method, path, querystring, state: { operation } }) => {
    if (method === 'OPTIONS') return undefined
    const { rate, rateOfFurtherPages } = operation ?? {
      rate: familyOfUnknown(method === 'HEAD' ? 'GET' : method, path),
    }
    // Otherwise a guest could not read the catalogue to its end.
    if (rateOfFurtherPages && new URLSearchParams(querystring).get('cursor')) return rateOfFurtherPages
    return rate === 'none' ? undefined : rate
  }
}

/** The first segment of a path behind `/api`. */
const resourceOf = (path: string) => path.split('/')[2]
