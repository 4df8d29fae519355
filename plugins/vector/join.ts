import { zipOfPages } from '../../engines/sharp.ts'
import type { Engine, Route, Step } from '../../kernel/contract.ts'
import type { VectorOptions } from './options.ts'

/** The first steps of routes: they draw a source as SVG, uncompressed, one file a page. */
export interface Reader {
  from: readonly string[]
  /** The engine that the catalogue shows. Default: the writer's. */
  engine?: Engine
  steps: readonly Step<VectorOptions>[]
}

/** The last steps of routes: they make a file of the target format of each SVG. */
export interface Writer {
  to: readonly string[]
  engine: Engine
  steps: readonly Step<VectorOptions>[]
}

/** A route of all steps. A source of several pages becomes a zip of files, one a page. */
export function join({ from, engine, steps }: Reader, writer: Writer): Route<VectorOptions> {
  const paged = steps.some((step) => step.each)
  return {
    ...{ from, to: writer.to, engine: engine ?? writer.engine },
    steps: [...steps, ...writer.steps, ...(paged ? [zipOfPages] : [])],
  }
}

/** Whether a route makes any pair: no format becomes itself. */
export const hasPairs = (route: Route): boolean =>
  'transform' in route || route.from.some((from) => route.to.some((to) => to !== from))
