import type { Config } from '../../config/config.ts'
import { StartError } from '../errors.ts'
import { nearest } from '../nearest.ts'
import type { LoadedPlugin } from './loader.ts'
import { enginesOf } from './manifest/route.ts'
import { expand, slugOf } from './pairs.ts'

/** Makes a function that tests a slug against a pattern of `tools.disabled`; `*` matches any text. */
export function matcher(pattern: string): (slug: string) => boolean {
  const expression = new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`)
  return (slug) => expression.test(slug)
}

/** Makes a function that tests a slug against many patterns, most of which are slugs. */
export function matcherOf(patterns: ReadonlySet<string>): (slug: string) => boolean {
  const open = [...patterns].filter((pattern) => pattern.includes('*')).map(matcher)
  return (slug) => patterns.has(slug) || open.some((isMatch) => isMatch(slug))
}

/**
 * Checks that plugins declare the tools and engines that the configuration names. Closed and unconfigured plugins
 * count, and the engine need not be installed. An unknown name would have no effect.
 *
 * @throws StartError with a line for each unknown name.
 */
export function checkNames(
  plugins: readonly LoadedPlugin[],
  { tools, prefer }: Pick<Config, 'tools' | 'prefer'>,
): void {
  if (!tools.disabled.length && !prefer.length) return
  const pairs = plugins.flatMap(({ plugin }) => plugin.routes.flatMap(expand))
  const slugs = [...new Set(pairs.map(([from, to]) => slugOf(from, to)))]
  const ends = new Set(pairs.flat())
  const patterns = [...ends].flatMap((format) => [`*-to-${format}`, `${format}-to-*`])
  const engines = [...enginesOf(plugins.map(({ plugin }) => plugin))].map(({ name }) => name)

  const faults = [
    ...tools.disabled
      .filter((pattern) => !slugs.some(matcher(pattern)))
      .map((pattern) => {
        const guess = nearest(pattern, pattern.includes('*') ? [...patterns, 'optimize-*'] : slugs)
        return `tools.disabled: "${pattern}" matches no tool.${suggestion(guess) || ' GET /api/tools lists all tools.'}`
      }),
    ...prefer
      .filter((name) => !engines.includes(name))
      .map((name) => {
        const guess = suggestion(nearest(name, engines))
        return `prefer: there is no engine "${name}".${guess || ` Engines are ${engines.toSorted().join(', ')}.`}`
      }),
  ]
  if (faults.length) throw new StartError(faults.join('\n'))
}

const suggestion = (guess: string | undefined) => (guess ? ` Did you mean ${guess}?` : '')
