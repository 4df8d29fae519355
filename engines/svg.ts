import type { Engine, Step } from '../kernel/contract.ts'
import { program } from './node/program.ts'

const modules = [
  ...['svgo', 'css-select', 'boolbase', 'css-what', 'domhandler', 'domelementtype', 'domutils', 'dom-serializer'],
  ...['entities', 'nth-check', 'css-tree', 'mdn-data', 'source-map-js', 'csso', 'picocolors', 'sax'],
]
const { command: plain, ...packer } = program('svg/plain.ts')
const { command: pack } = program('svg/pack.ts')
const { command: split, ...splitter } = program('svg/split.ts', { modules })
const { command: clean, ...cleaner } = program('svg/clean.ts', { modules })

/** Writes a drawing as plain SVG, decompressed if necessary. The argument `mended` makes it readable for more programs. */
export const svgPlain: Engine = {
  ...packer,
  name: 'svg-plain',
  argv: (job, args) => [plain, job.input, job.output, args],
}

/** Compresses an SVG drawing. */
export const svgPack: Engine = {
  ...packer,
  name: 'svg-pack',
  argv: (job, args) => [pack, args, job.input, job.output],
}

/**
 * SVGO. The argument `optimise` makes a drawing smaller, `alone` removes references to other files,
 * `outlined` keeps only shapes in plain colours.
 */
export const svgo: Engine = {
  ...cleaner,
  name: 'svgo',
  argv: (job, args) => [clean, args, job.input, job.output],
}

/**
 * Splits a drawing for metafiles. With `behind` and the target format, keeps what must become a picture, and prints
 * `rich` if there is anything. With `front`, the target format, that picture's path and its dpi, keeps the rest before it.
 */
export const svgSplit: Engine = {
  ...splitter,
  name: 'svg-split',
  argv: (job, [part, to, ...picture]) => [split, part, to, job.input, job.output, picture],
}

/** First step of routes from SVG, also compressed: librsvg and Inkscape then draw more of what browsers draw. */
export const mendSvg: Step = { engine: svgPlain, output: 'mended.svg', args: () => ['mended'] }
