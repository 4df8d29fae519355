import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { LoadedCatalogue } from '../catalogue/load.ts'
import { preferredInVain } from '../catalogue/names.ts'

/** Logs which engines are missing, and which of `prefer` change nothing. */
export function logEngines(
  { probes, catalogue }: LoadedCatalogue,
  { prefer }: Pick<Config, 'prefer'>,
  log: Logger,
): void {
  for (const [{ name }, probe] of probes) {
    if ('missing' in probe) log.warn({ engine: name }, probe.missing)
  }
  const engines = preferredInVain(catalogue.pairs.values(), prefer)
  if (engines.length) log.warn({ engines }, 'prefer: these change nothing: they are missing, or come first anyway')
}
