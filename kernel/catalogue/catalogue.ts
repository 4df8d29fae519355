import type { Engine, Intent, Plugin } from '../contract.ts'
import type { KnownFormat } from '../detection/hint.ts'
import { ServiceError } from '../errors.ts'
import { collectFormats } from './formats.ts'
import type { LoadedPlugin } from './loader.ts'
import { matcher, matcherOf } from './names.ts'
import { collectPairs, dropBrokenDetours, keepOffered, type Pair, slugOf } from './pairs.ts'
import type { Probe } from './probe.ts'
import { createTools, type Tool } from './tools.ts'

interface CatalogueSettings {
  /** Engine names, most preferred first. */
  prefer?: readonly string[]
  /** Slugs of disabled tools; `*` matches any text. */
  disabled?: readonly string[]
  /** Engines by pair: what the nodes can convert that share the database. It counts instead of the probes. */
  offered?: ReadonlyMap<string, string>
}

/** One row of `GET /api/formats`. */
export interface FormatFacts {
  extension: string
  aliases: readonly string[]
  mimeType: string
  category: string
  readable: boolean
  writable: boolean
  targets: readonly string[]
}

export interface Catalogue {
  /** Every format of every plugin, by canonical extension. */
  readonly known: ReadonlyMap<string, KnownFormat>
  readonly categories: readonly string[]
  /** Every plugin, including closed and unconfigured ones, whose options are still known. */
  readonly plugins: readonly Plugin[]
  /** Pairs that this machine can make, and pairs that an operator closed; keyed by `from>to`. */
  readonly pairs: ReadonlyMap<string, Pair>
  /** Declared pairs that this machine cannot make; `obstacles` has the reasons. */
  readonly missing: readonly Pair[]
  readonly tools: readonly Tool[]
  readonly formats: readonly FormatFacts[]
  /** Returns the canonical extension for a spelling in any case; undefined if unknown. */
  canonical(name: string): string | undefined
  /** Returns the tool for a slug. The slug may use aliases of formats: `jpeg-to-webp`. */
  tool(slug: string): Tool | undefined
  /** Returns the pair for a request. @throws ServiceError UNSUPPORTED_FORMAT, SAME_FORMAT_NOOP, FORBIDDEN. */
  find(from: string, to: string, intent: Intent): Pair
  /** Closes the tools that match these patterns, besides the configured ones, and opens what earlier ones closed. */
  setClosedTools(patterns: ReadonlySet<string>): void
  /** Closes the tools that match these patterns. Replaces the configured patterns. */
  configure(disabled: readonly string[]): void
  /** Returns the reachable targets of a format, most wanted first, at most 12. */
  suggest(from: string): string[]
}

/** Works out at boot which conversions are possible, from the plugins, the probes and the configuration. */
export function createCatalogue(
  loaded: readonly LoadedPlugin[],
  probes: ReadonlyMap<Engine, Probe>,
  { prefer = [], disabled = [], offered }: CatalogueSettings = {},
): Catalogue {
  const formats = collectFormats(loaded)
  const { known, spellings } = formats
  const declared = collectPairs(loaded, formats, offered ? undefined : probes, prefer)
  dropBrokenDetours(declared)
  if (offered) keepOffered(declared, offered)

  // Closed pairs stay known without an engine: operators need not install the engines of plugins that they close.
  const pairs = new Map([...declared].filter(([, pair]) => pair.methods.length > 0 || pair.closed))
  const missing = [...declared.values()].filter((pair) => !pair.methods.length && !pair.closed)
  const closedPlugins = new Set([...pairs.values()].filter((pair) => pair.closed))
  /** Returns the pairs of closed plugins, those that the patterns match, and those that this machine cannot make. */
  const configuredBy = (patterns: readonly string[]) => {
    const closed = patterns.map(matcher)
    const isClosed = (pair: Pair) => closed.some((isMatch) => isMatch(slugOf(pair.from, pair.to)))
    return new Set(
      [...pairs.values()].filter((pair) => closedPlugins.has(pair) || !pair.methods.length || isClosed(pair)),
    )
  }
  let configured = configuredBy(disabled)
  let isSwitched = matcherOf(new Set())
  for (const pair of configured) pair.closed = true

  const targets = Map.groupBy(pairs.values(), (pair) => pair.from)
  const sources = Map.groupBy(pairs.values(), (pair) => pair.to)
  const canonical = (name: string) => spellings.get(name.toLowerCase())
  const tools = createTools(pairs, known)
  const bySlug = new Map(tools.map((tool) => [tool.slug, tool]))

  function applyClosed(): void {
    for (const pair of pairs.values()) {
      const slug = slugOf(pair.from, pair.to)
      pair.closed = configured.has(pair) || isSwitched(slug)
      const tool = bySlug.get(slug)
      if (tool) tool.enabled = !pair.closed
    }
  }

  /** Suggests what a rejected format name probably means. */
  function meant(name: string): string {
    const bare = name.trim().toLowerCase()
    const byType = [...known.values()].find(({ mime }) => mime === bare)
    const guess = byType?.extension ?? canonical(bare.replace(/^\.+/, ''))
    return guess ? `write it as "${guess}"` : 'GET /api/formats lists them'
  }

  /** Returns the open targets of a format, most wanted first. */
  function reachable(from: string): string[] {
    const open = (targets.get(from) ?? []).filter((pair) => pair.to !== from && !pair.closed).map((pair) => pair.to)
    const category = known.get(from)?.category
    const wanted =
      known.get(from)?.wanted ?? loaded.find(({ plugin }) => plugin.category === category)?.plugin.wanted ?? []
    const rank = (to: string) => (wanted.includes(to) ? wanted.indexOf(to) : wanted.length)
    return open.toSorted((a, b) => rank(a) - rank(b))
  }

  return {
    known,
    categories: [...new Set(loaded.map(({ plugin }) => plugin.category))],
    plugins: loaded.map(({ plugin }) => plugin),
    pairs,
    missing,
    tools,
    formats: [...known.values()]
      .map((format) => ({
        extension: format.extension,
        aliases: format.aliases ?? [],
        mimeType: format.mime,
        category: format.category,
        readable: targets.has(format.extension),
        writable: sources.has(format.extension),
        targets: (targets.get(format.extension) ?? []).map((pair) => pair.to),
      }))
      .filter((format) => format.readable || format.writable),
    canonical,
    tool: (slug) => bySlug.get(slug) ?? bySlug.get(canonicalSlug(slug, canonical)),

    find(from, to, intent) {
      const source = canonical(from)
      const target = canonical(to)
      if (!source || !target) {
        throw new ServiceError(
          'UNSUPPORTED_FORMAT',
          `${source ? 'toFormat' : 'fromFormat'} "${excerpt(source ? to : from)}" is not a supported format; ${meant(source ? to : from)}`,
        )
      }
      if (source === target && intent !== 'transform') {
        throw new ServiceError(
          'SAME_FORMAT_NOOP',
          `The file is already ${target}; set jobIntent to "transform" to optimise it without changing its format`,
        )
      }
      const pair = pairs.get(`${source}>${target}`)
      if (!pair) throw new ServiceError('UNSUPPORTED_FORMAT', unsupported(source, target, reachable(source)))
      if (pair.closed) {
        throw new ServiceError('FORBIDDEN', `The tool ${slugOf(source, target)} is disabled by an administrator`)
      }
      return pair
    },

    setClosedTools(patterns) {
      isSwitched = matcherOf(patterns)
      applyClosed()
    },
    configure(patterns) {
      configured = configuredBy(patterns)
      applyClosed()
    },

    suggest: (from) => reachable(from).slice(0, 12),
  }
}

/** Replaces aliases in a slug with canonical extensions. Returns the slug unchanged if a format is unknown. */
function canonicalSlug(slug: string, canonical: (name: string) => string | undefined): string {
  const [, same, from, to] = /^(?:optimize-(.+)|(.+?)-to-(.+))$/i.exec(slug.slice(0, 200)) ?? []
  const [source, target] = same ? [canonical(same), canonical(same)] : [from, to].map((name) => name && canonical(name))
  // Otherwise `jpeg-to-jpg` would return the tool `optimize-jpg`, which is something else.
  return source && target && (same || source !== target) ? slugOf(source, target) : slug
}

const excerpt = (text: string) => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 40)

function unsupported(from: string, to: string, reachable: readonly string[]): string {
  if (from === to) return `${from} cannot be optimised; see GET /api/formats`
  const some = reachable.slice(0, 12)
  const rest = reachable.length > some.length ? ' and more: see GET /api/formats' : ''
  return `${from} to ${to} is not supported${some.length ? `; ${from} can become ${some.join(', ')}${rest}` : ''}`
}
