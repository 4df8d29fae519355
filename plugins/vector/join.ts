import { zipOfPages } from '../../engines/sharp.ts'
import type { Engine, Route, Step } from '../../kernel/contract.ts'
import type { VectorOptions } from './options.ts'

/** First steps of routes: they draw a source as SVG, uncompressed, one file per page. */
export interface Reader {
  from: readonly string[]
  /** Engine shown in the catalogue. Default: the writer's. */
  engine?: Engine
  steps: readonly Step<VectorOptions>[]
}

/** Last steps of routes: they convert each SVG to the target format. */
export interface Writer {
  to: readonly string[]
  engine: Engine
  steps: readonly Step<VectorOptions>[]
}

/** Makes a route of all steps. A source of several pages becomes a zip with one file per page. */
export function join({ from, engine, steps }: Reader, writer: Writer): Route<VectorOptions> {
  const paged = steps.some((step) => step.each)
  return {
    from,
    to: writer.to,
    engine: engine ?? writer.engine,
    steps: [...steps, ...writer.steps, ...(paged ? [zipOfPages] : [])],
  }
}

/** Whether a route has any pair: a format cannot be converted to itself. */
export const hasPairs = (route: Route): boolean =>
  'transform' in route || route.from.some((from) => route.to.some((to) => to !== from))
