import type { Config } from '../config/config.ts'
import type { LoadedCatalogue } from './catalogue/load.ts'
import { checkNames } from './catalogue/names.ts'

/** What a running service takes from a changed configuration. */
const LIVE: readonly string[] = ['plans', 'rates', 'tools'] satisfies (keyof Config)[]

/**
 * Puts the plans, rates and closed tools of `next` in force. Resolves to the other keys that differ: those need a restart.
 *
 * @throws StartError for the name of a tool or an engine that nothing has; the old configuration is in force then.
 */
export function applyConfig(config: Config, next: Config, { plugins, catalogue }: LoadedCatalogue): string[] {
  checkNames(plugins, next)
  const differs = (key: string) => JSON.stringify(config[key as never]) !== JSON.stringify(next[key as never])
  const later = Object.keys(next).filter((key) => !LIVE.includes(key) && differs(key))
  // In place: several parts hold the plans.
  for (const [name, plan] of Object.entries(config.plans)) Object.assign(plan, next.plans[name as never])
  config.rates = next.rates
  config.tools = next.tools
  catalogue.configure(next.tools.disabled)
  return later
}
