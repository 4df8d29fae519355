import type { Engine, Plugin } from '../../contract.ts'

/** Every engine that the plugins' routes may run. */
export function enginesOf(plugins: readonly Plugin[]): Set<Engine> {
  const routes = plugins.flatMap((plugin) => plugin.routes)
  return new Set(
    routes.flatMap((route) =>
      'engine' in route ? [route.engine, ...('uses' in route ? (route.uses ?? []) : [])] : [],
    ),
  )
}
