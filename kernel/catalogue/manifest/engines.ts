import type { Engine, Plugin } from '../../contract.ts'
import { enginesOfRoute } from './route.ts'

/** Every engine that the plugins' routes may run. */
export const enginesOf = (plugins: readonly Plugin[]): Set<Engine> =>
  new Set(plugins.flatMap(({ routes }) => routes.flatMap(enginesOfRoute)))
