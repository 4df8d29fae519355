import type { Engine } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const modules = [
  ...['svgo', 'css-select', 'boolbase', 'css-what', 'domhandler', 'domelementtype', 'domutils', 'dom-serializer'],
  ...['entities', 'nth-check', 'css-tree', 'mdn-data', 'source-map-js', 'csso', 'picocolors', 'sax'],
]
const { command: plain, ...packer } = program('svg/plain.ts')
const { command: pack } = program('svg/pack.ts')
const { command: clean, ...cleaner } = program('svg/clean.ts', { modules })

/** Writes a drawing as plain SVG, decompressed if necessary. */
export const svgPlain: Engine = {
  ...packer,
  name: 'svg-plain',
  argv: (job, args) => [plain, args, job.input, job.output],
}

/** Compresses an SVG drawing. */
export const svgPack: Engine = {
  ...packer,
  name: 'svg-pack',
  argv: (job, args) => [pack, args, job.input, job.output],
}

/** SVGO. The argument `optimise` makes a drawing smaller, `alone` removes references to other files. */
export const svgo: Engine = {
  ...cleaner,
  name: 'svgo',
  argv: (job, args) => [clean, args, job.input, job.output],
}
