import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { LoadedCatalogue } from '../catalogue/load.ts'
import { isDirect, leaderOf } from '../catalogue/manifest/route.ts'
import type { Pair } from '../catalogue/pairs.ts'

/** Logs which engines are missing, and which of `prefer` change nothing. */
export function logEngines(
  { probes, catalogue }: Pick<LoadedCatalogue, 'probes' | 'catalogue'>,
  { prefer }: Pick<Config, 'prefer'>,
  log: Logger,
): void {
  for (const [{ name }, probe] of probes) {
    if ('missing' in probe) log.warn({ engine: name }, probe.missing)
  }
  const pairs = [...catalogue.pairs.values()]
  const engines = prefer.filter((name) => !pairs.some(({ methods }) => isMovedUp(methods, name)))
  if (engines.length) log.warn({ engines }, 'prefer: these change nothing: they are missing, or come first anyway')
}

/** Whether an engine leads a method before others that its plugin names first. */
const isMovedUp = (methods: Pair['methods'], name: string) =>
  methods.some(
    ({ route, plugin: { routes } }, at) =>
      isDirect(route) &&
      leaderOf(route).name === name &&
      methods.slice(at + 1).some((later) => routes.indexOf(later.route) < routes.indexOf(route)),
  )
