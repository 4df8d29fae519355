import type { Config } from '../../config/config.ts'
import type { LoadedCatalogue } from '../catalogue/load.ts'
import { checkNames } from '../catalogue/names.ts'
import type { ServedCertificate } from './certificate.ts'

/** Configuration keys that a running service can change. */
const LIVE: readonly string[] = ['plans', 'rates', 'tools'] satisfies (keyof Config)[]

/**
 * Applies the plans, rates and closed tools of `next`, and a renewed certificate. Returns the other changed keys, which
 * need a restart.
 *
 * @throws StartError for an unknown tool or engine name, or a faulty certificate. The old configuration then stays.
 */
export function applyConfig(
  config: Config,
  next: Config,
  { plugins, catalogue }: LoadedCatalogue,
  certificate: ServedCertificate | undefined,
): string[] {
  checkNames(plugins, next)
  certificate?.renew()
  const differs = (key: string) => JSON.stringify(config[key as never]) !== JSON.stringify(next[key as never])
  const later = Object.keys(next).filter((key) => !LIVE.includes(key) && differs(key))
  // Change the plans in place, because several parts hold references to them.
  for (const [name, plan] of Object.entries(config.plans)) Object.assign(plan, next.plans[name as never])
  config.rates = next.rates
  config.tools = next.tools
  catalogue.configure(next.tools.disabled)
  return later
}
