import { svgo } from '../../engines/svg.ts'
import type { Route } from '../../kernel/contract.ts'
import { hasPairs, join } from './join.ts'
import type { VectorOptions } from './options.ts'
import { encapsulations } from './pages.ts'
import { readers } from './readers.ts'
import { writers } from './writers.ts'

/** SVG in fewer bytes that looks the same. */
const optimised: Route<VectorOptions> = { transform: ['svg'], engine: svgo, args: () => ['optimise'] }

/** Every reader with every writer, after the routes that need no SVG in between. */
export const conversions: Route<VectorOptions>[] = [
  ...encapsulations,
  ...readers.flatMap((reader) => writers.map((writer) => join(reader, writer))).filter(hasPairs),
  optimised,
]
