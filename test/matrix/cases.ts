import type { Catalogue } from '../../kernel/catalogue/catalogue.ts'
import { enginesOfRoute, isDirect, leaderOf } from '../../kernel/catalogue/manifest/route.ts'
import type { Pair, UsableRoute } from '../../kernel/catalogue/pairs.ts'

/** One conversion that the matrix makes: a pair by one of its ways. */
export interface Case {
  /** `png>jpg`, and `png>jpg#1` for the way that is tried when the first one's engine refuses. */
  key: string
  pair: Pair
  method: UsableRoute
}

const caseOf = (pair: Pair, index: number): Case => ({
  key: `${pair.from}>${pair.to}${index ? `#${index}` : ''}`,
  pair,
  method: pair.methods[index]!,
})

/** The engine that a case is about, as the catalogue names it. */
export const engineOf = ({ method: { route } }: Case): string =>
  isDirect(route) ? leaderOf(route).name : `via ${route.via}`

/**
 * What a case shows to work: its source read, its target written and its engines run, each by the first, second … of
 * the ways that the pair has. Routes that a plugin multiplies out of readers and writers are so covered by their parts.
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
 * A small part of the matrix that holds every source, every target, every optimisation, every engine and every way:
 * greedy, in a fixed order, so that it is the same on every machine with the same engines. `usable` tells which sources
 * have a sample.
 */
export function covering(catalogue: Catalogue, usable: (from: string) => boolean): Case[] {
  const cases = everyWay(catalogue).filter(({ pair }) => usable(pair.from))
  const tokens = new Map(cases.map((one) => [one, shows(one, one.pair.methods.indexOf(one.method))]))
  const missing = new Set([...tokens.values()].flat())
  const chosen: Case[] = []
  // Those that show the most come first; a later pass takes what shows less.
  for (let worth = 8; worth > 0; worth--)
    for (const one of cases) {
      const fresh = tokens.get(one)!.filter((token) => missing.has(token))
      if (fresh.length < worth) continue
      chosen.push(one)
      for (const token of fresh) missing.delete(token)
    }
  return chosen
}

/** Every pair by every way, in a fixed order. */
function everyWay(catalogue: Catalogue): Case[] {
  return [...catalogue.pairs.values()]
    .filter((pair) => pair.methods.length > 0)
    .sort((a, b) => (`${a.from}>${a.to}` < `${b.from}>${b.to}` ? -1 : 1))
    .flatMap((pair) => pair.methods.map((_, index) => caseOf(pair, index)))
}

/** Every pair by its preferred way, and the covering cases of the other ways. */
export function whole(catalogue: Catalogue, usable: (from: string) => boolean): Case[] {
  const preferred = everyWay(catalogue).filter(({ pair, method }) => method === pair.methods[0])
  const others = covering(catalogue, usable).filter(({ pair, method }) => method !== pair.methods[0])
  return [...preferred, ...others]
}
