import { mendSvg, svgo, svgPack, svgPlain } from '../../engines/svg.ts'
import type { Route } from '../../kernel/contract.ts'
import { hasPairs, join } from './join.ts'
import { pictReader } from './office.ts'
import type { VectorOptions } from './options.ts'
import { encapsulations } from './pages.ts'
import { readers } from './readers.ts'
import { writers } from './writers.ts'

/** SVG in fewer bytes that looks the same. */
const optimised: Route<VectorOptions> = { transform: ['svg'], engine: svgo, args: () => ['optimise'] }

/** Text stays text, also along paths. */
const packed: readonly Route<VectorOptions>[] = [
  { from: ['svg'], to: ['svgz'], engine: svgPack, steps: [mendSvg, { engine: svgPack }] },
  { from: ['svgz'], to: ['svg'], engine: svgPlain, steps: [mendSvg] },
]

/** Every reader with every writer, after the routes that need no SVG in between. */
export const conversions: Route<VectorOptions>[] = [
  ...packed,
  ...encapsulations,
  ...readers.flatMap((reader) => writers.map((writer) => join(reader, writer))).filter(hasPairs),
  optimised,
]

/** PICT that draws, after the routes that trace the picture in it. */
export const drawnPict: Route<VectorOptions>[] = [
  ...writers.map((writer) => join(pictReader, writer)),
  { from: ['pict'], to: ['odg'], via: 'svg' },
]
