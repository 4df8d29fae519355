import type { Catalogue } from '../../kernel/catalogue/catalogue.ts'
import { enginesOfRoute, isDirect, leaderOf } from '../../kernel/catalogue/manifest/route.ts'
import type { Pair, UsableRoute } from '../../kernel/catalogue/pairs.ts'

/** One conversion of the matrix: a pair by one of its routes. */
export interface Case {
  /** `png>jpg`, or `png>jpg#1` for the route that is tried if the engine of the first one refuses. */
  key: string
  pair: Pair
  method: UsableRoute
}

const caseOf = (pair: Pair, index: number): Case => ({
  key: `${pair.from}>${pair.to}${index ? `#${index}` : ''}`,
  pair,
  method: pair.methods[index]!,
})

/** Name in the catalogue of the engine that a case tests. */
export const engineOf = ({ method: { route } }: Case): string =>
  isDirect(route) ? leaderOf(route).name : `via ${route.via}`

/**
 * Returns what a case proves: that its source is read, its target is written and its engines run, each by the first,
 * second … route of the pair. So the parts cover the routes that a plugin combines from readers and writers.
 */
function shows({ pair, method: { route } }: Case, way: number): string[] {
  const engines = enginesOfRoute(route)
  const leads = isDirect(route) ? leaderOf(route).name : `via ${route.via}`
  return [
    `from ${pair.from} #${way}`,
    `to ${pair.to} #${way}`,
    `to ${pair.to} by ${leads}`,
    ...engines.map(({ name }) => name),
    ...(pair.from === pair.to ? [`optimise ${pair.to} by ${leads}`] : []),
  ]
}

/**
 * Selects a small part of the matrix that covers every source, every target, every optimisation, every engine and every
 * route: greedy, in a fixed order, so that it is the same on every machine with the same engines. `usable` tells which
 * sources have a sample.
 */
export function covering(catalogue: Catalogue, usable: (from: string) => boolean): Case[] {
  const cases = everyWay(catalogue).filter(({ pair }) => usable(pair.from))
  const tokens = new Map(cases.map((one) => [one, shows(one, one.pair.methods.indexOf(one.method))]))
  const missing = new Set([...tokens.values()].flat())
  const chosen: Case[] = []
  // First the cases that cover most; later passes add those that cover less.
  for (let worth = 8; worth > 0; worth--)
    for (const one of cases) {
      const fresh = tokens.get(one)!.filter((token) => missing.has(token))
      if (fresh.length < worth) continue
      chosen.push(one)
      for (const token of fresh) missing.delete(token)
    }
  return chosen
}

/** Every pair by every route, in a fixed order. */
function everyWay(catalogue: Catalogue): Case[] {
  return [...catalogue.pairs.values()]
    .filter((pair) => pair.methods.length > 0)
    .sort((a, b) => (`${a.from}>${a.to}` < `${b.from}>${b.to}` ? -1 : 1))
    .flatMap((pair) => pair.methods.map((_, index) => caseOf(pair, index)))
}

/** Every pair by its preferred route, and the covering cases of the other routes. */
export function whole(catalogue: Catalogue, usable: (from: string) => boolean): Case[] {
  const preferred = everyWay(catalogue).filter(({ pair, method }) => method === pair.methods[0])
  const others = covering(catalogue, usable).filter(({ pair, method }) => method !== pair.methods[0])
  return [...preferred, ...others]
}
