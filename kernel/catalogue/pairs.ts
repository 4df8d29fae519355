import type { Engine, Plugin, Route } from '../contract.ts'
import { StartError } from '../errors.ts'
import type { Formats } from './formats.ts'
import type { LoadedPlugin } from './loader.ts'
import { type DirectRoute, enginesOfRoute, isDirect, leaderOf, needsOf } from './manifest/route.ts'
import type { Probe } from './probe.ts'

/** A route that can make a pair, with the plugin whose options it takes. */
export interface UsableRoute {
  route: Route
  plugin: Plugin
}

/** A pair with its usable routes, most preferred first. */
export interface Pair {
  readonly from: string
  readonly to: string
  readonly plugin: Plugin
  readonly methods: UsableRoute[]
  /** Why the other declared routes are not usable on this machine. */
  readonly obstacles: string[]
  /** The engine of the node that converts it, if other nodes do. */
  engine?: string
  /** Whether an operator closed its plugin or its tool. */
  closed: boolean
}

/** Returns the slug of a tool: `png-to-webp`, `optimize-pdf`. */
export const slugOf = (from: string, to: string) => (from === to ? `optimize-${from}` : `${from}-to-${to}`)

/**
 * Returns every declared pair with its usable routes.
 *
 * @param probes Undefined: every route counts as usable. @throws StartError if a route names a source by an alias.
 */
export function collectPairs(
  loaded: readonly LoadedPlugin[],
  formats: Formats,
  probes: ReadonlyMap<Engine, Probe> | undefined,
  prefer: readonly string[],
): Map<string, Pair> {
  const pairs = new Map<string, Pair>()
  const rank = (route: Route) =>
    isDirect(route) && prefer.includes(leaderOf(route).name) ? prefer.indexOf(leaderOf(route).name) : prefer.length
  for (const { name, plugin, state } of loaded) {
    if (state === 'facts') continue
    // Sorting is stable: routes that the operator does not rank keep the plugin's order.
    for (const route of plugin.routes.toSorted((a, b) => rank(a) - rank(b))) {
      const obstacle = probes && isDirect(route) ? obstacleTo(route, probes) : undefined
      const path = `plugins.${name ?? plugin.category}: routes[${plugin.routes.indexOf(route)}].from`
      for (const [from, to] of expand(route)) {
        const key = `${from}>${to}`
        const closed = state === 'closed' && formats.known.has(from)
        let pair = pairs.get(key)
        if (!pair) pairs.set(key, (pair = { from, to, plugin, methods: [], obstacles: [], closed }))
        const reason = unknownSource(from, path, formats) ?? obstacle
        if (reason) pair.obstacles.push(reason)
        else pair.methods.push({ route, plugin })
      }
    }
  }
  return pairs
}

/** Removes detours that lack a leg. Both legs must be direct routes: detours do not nest. */
export function dropBrokenDetours(pairs: ReadonlyMap<string, Pair>): void {
  const direct = (key: string) => pairs.get(key)?.methods.some(({ route }) => isDirect(route)) ?? false
  for (const { from, to, methods, obstacles } of pairs.values()) {
    for (const method of methods.filter(({ route }) => 'via' in route)) {
      const { via } = method.route as { via: string }
      const broken = [`${from}>${via}`, `${via}>${to}`].find((key) => !direct(key))
      if (!broken) continue
      methods.splice(methods.indexOf(method), 1)
      obstacles.push(`via ${via}: no route from ${broken.replace('>', ' to ')}`)
    }
  }
}

/** Keeps the routes of those pairs only that other nodes can convert. @param abilities Their engines by pair. */
export function keepOffered(pairs: ReadonlyMap<string, Pair>, abilities: ReadonlyMap<string, string>): void {
  for (const [key, pair] of pairs) {
    const engine = abilities.get(key)
    if (engine !== undefined) pair.engine = engine
    else if (pair.methods.splice(0).length) pair.obstacles.push('no node can convert it')
  }
}

/**
 * Returns why a source is unknown; undefined if it is known. An unknown source does not stop the start: its plugin may
 * be unconfigured.
 *
 * @throws StartError if the source is an alias.
 */
function unknownSource(from: string, path: string, { known, spellings }: Formats): string | undefined {
  if (known.has(from)) return undefined
  const meant = spellings.get(from)
  if (meant) throw new StartError(`${path}: "${from}" is an alias of ${meant}; write "${meant}"`)
  return `${path}: no plugin has the format "${from}"`
}

/** Returns the pairs of a route as `[from, to]`. */
export function expand(route: Route): [string, string][] {
  if ('transform' in route) return route.transform.map((format) => [format, format])
  return route.from.flatMap((from) => route.to.filter((to) => to !== from).map((to): [string, string] => [from, to]))
}

/** Returns why this machine cannot run a route; undefined if it can. */
function obstacleTo(route: DirectRoute, probes: ReadonlyMap<Engine, Probe>): string | undefined {
  for (const engine of enginesOfRoute(route)) {
    const probe = probes.get(engine)
    if (!probe) return `${engine.name} was not probed`
    if ('missing' in probe) return probe.missing
  }
  for (const { engine, features } of needsOf(route)) {
    const probe = probes.get(engine)
    const lacking = features.find((feature) => !(probe && 'features' in probe && lists(probe.features, feature)))
    if (lacking) return `${engine.name}: this build lacks ${lacking}`
  }
  return undefined
}

const lists = (printed: string, feature: string) => new RegExp(`(?<!\\w)${RegExp.escape(feature)}(?!\\w)`).test(printed)
