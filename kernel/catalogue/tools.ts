import type { Intent, Plugin, Preset, Route } from '../contract.ts'
import type { KnownFormat } from '../detection/hint.ts'
import { isDirect, leaderOf } from './manifest/route.ts'
import { type Pair, slugOf } from './pairs.ts'

/** A pair as `GET /api/tools` lists it. */
export interface Tool {
  slug: string
  name: string
  description: string
  category: string
  fromFormat: string
  toFormat: string
  jobIntent: Intent
  /** The JSON Schema (2020-12) that validates the options; it rejects unknown keys. */
  options: object
  engine: string
  enabled: boolean
}

/** Makes a tool for each pair, sorted by category, then by slug. */
export function createTools(pairs: ReadonlyMap<string, Pair>, known: ReadonlyMap<string, KnownFormat>): Tool[] {
  return [...pairs.values()]
    .map(({ from, to, plugin, methods, closed, engine }): Tool => {
      const source = labelOf(from, known.get(from))
      const target = labelOf(to, known.get(to))
      return {
        slug: slugOf(from, to),
        name: from === to ? `Optimize ${target}` : `Convert ${source} to ${target}`,
        description:
          from === to
            ? `Makes ${target} files smaller without changing their format.`
            : `Converts ${source} files to ${target}.`,
        category: plugin.category,
        fromFormat: from,
        toFormat: to,
        jobIntent: from === to ? 'transform' : 'convert',
        options: optionsSchema(plugin, to),
        engine: engine ?? (methods[0] ? engineOf(pairs, from, to, methods[0].route) : ''),
        enabled: !closed,
      }
    })
    .sort((a, b) => compare(a.category, b.category) || compare(a.slug, b.slug))
}

const labelOf = (extension: string, format: KnownFormat | undefined) => format?.label ?? extension.toUpperCase()

/** Returns the name of a pair's engine; for a detour, the engines of both legs in order. */
function engineOf(pairs: ReadonlyMap<string, Pair>, from: string, to: string, route: Route): string {
  if (isDirect(route)) return leaderOf(route).name
  const legs = [`${from}>${route.via}`, `${route.via}>${to}`].map((key) => {
    const direct = pairs
      .get(key)
      ?.methods.map((method) => method.route)
      .find(isDirect)
    return direct ? leaderOf(direct).name : 'none'
  })
  return [...new Set(legs)].join(', then ')
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const schemas = new WeakMap<Plugin, Map<string, object>>()

/** Returns the JSON Schema of a target's options; it rejects unknown keys. The API serves it and validates with it. */
export function optionsSchema(plugin: Plugin, to: string): object {
  let byTarget = schemas.get(plugin)
  if (!byTarget) schemas.set(plugin, (byTarget = new Map()))
  let schema = byTarget.get(to)
  if (!schema) byTarget.set(to, (schema = makeSchema(plugin, to)))
  return schema
}

function makeSchema(plugin: Plugin, to: string): object {
  const properties = Object.entries(plugin.options).map(
    ([key, { defaults, effect, implied: _, description, ...schema }]) => {
      const idle = effect && !effect.includes(to)
      return [
        key,
        {
          title: key,
          ...schema,
          ...(defaults && Object.hasOwn(defaults, to) && { default: defaults[to] }),
          ...(idle && { 'x-effect': false }),
          description: idle ? `${description} No effect for ${to}.` : description,
        },
      ]
    },
  )
  const rules = (plugin.rules ?? []).filter((rule) => !rule.to || rule.to.includes(to))
  const presets = (plugin.presets ?? []).filter(({ options }) =>
    Object.keys(options).every((key) => plugin.options[key]?.effect?.includes(to) ?? true),
  )
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
    ...(rules.length && { allOf: rules.map((rule) => ({ not: rule.forbid })) }),
    ...(isChoice(presets) && { 'x-presets': presets }),
  }
}

/** Whether a preset changes anything. */
const isChoice = (presets: readonly Preset[]) => presets.some(({ options }) => Object.keys(options).length > 0)
