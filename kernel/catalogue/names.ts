import type { Config } from '../../config/config.ts'
import { nearest } from '../../config/nearest.ts'
import { StartError } from '../errors.ts'
import { enginesOf, type LoadedPlugin } from './loader.ts'
import { expand, slugOf } from './pairs.ts'

/** Whether a tool's slug is one that a pattern of `tools.disabled` means; `*` stands for anything. */
export function matcher(pattern: string): (slug: string) => boolean {
  const expression = new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`)
  return (slug) => expression.test(slug)
}

/**
 * Checks the names in the configuration of what plugins declare, whether or not this machine has the engine, and also of
 * plugins that are closed or not loaded: a name that nothing has would close or prefer nothing.
 *
 * @throws StartError with a line for each that nothing has.
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
        return `tools.disabled: "${pattern}" matches no tool.${ask(guess) || ' GET /api/tools lists them.'}`
      }),
    ...prefer
      .filter((name) => !engines.includes(name))
      .map((name) => {
        const guess = ask(nearest(name, engines))
        return `prefer: there is no engine "${name}".${guess || ` Engines are ${engines.toSorted().join(', ')}.`}`
      }),
  ]
  if (faults.length) throw new StartError(faults.join('\n'))
}

const ask = (guess: string | undefined) => (guess ? ` Did you mean ${guess}?` : '')
