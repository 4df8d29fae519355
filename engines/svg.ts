import type { Engine, Step } from '../kernel/contract.ts'
import { fail } from '../kernel/kit.ts'
import { chromium } from './chromium.ts'
import { inkscape } from './inkscape.ts'
import { program } from './node/program.ts'
import { pdftocairo } from './poppler.ts'

const modules = [
  'svgo',
  'css-select',
  'boolbase',
  'css-what',
  'domhandler',
  'domelementtype',
  'domutils',
  'dom-serializer',
  'entities',
  'nth-check',
  'css-tree',
  'mdn-data',
  'source-map-js',
  'csso',
  'picocolors',
  'sax',
]
const { command: plain, ...packer } = program('svg/plain.ts')
const { command: browsed, ...browser } = program('svg/browsed.ts', {
  modules: ['saxes', 'xmlchars'],
  folders: ['text'],
})
const { command: pack } = program('svg/pack.ts')
const { command: sized } = program('svg/sized.ts')
const { command: split, ...splitter } = program('svg/split.ts', { modules })
const { command: along } = program('svg/along.ts', { modules })
const { command: clean, ...cleaner } = program('svg/clean.ts', { modules })

/**
 * Writes a drawing as plain SVG, decompressed if necessary. The argument `mended` makes it readable for more programs.
 */
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
 * `rich` if there is anything. With `front`, the target format, that picture's path and its dpi, keeps the rest before
 * it.
 */
export const svgSplit: Engine = {
  ...splitter,
  name: 'svg-split',
  argv: (job, [part, to, ...picture]) => [split, part, to, job.input, job.output, picture],
}

/** Puts outlines, its input, in place of texts along paths. The argument is the drawing. */
const textsAlong: Engine = {
  ...cleaner,
  name: 'svg-along',
  argv: (job, args) => [along, args, job.input, job.output],
}

/** Makes a page that shows a drawing with parts in HTML, for a browser to print. The argument is its title. */
const svgPage: Engine = {
  ...browser,
  name: 'svg-page',
  argv: (job, args) => [browsed, job.input, job.output, args],
}

/** Gives the drawing of a page the exact size of the page. The argument is the page. */
const svgSized: Engine = {
  ...packer,
  name: 'svg-sized',
  argv: (job, args) => [sized, args, job.input, job.output],
}

/** First step of routes from SVG, also compressed: librsvg and Inkscape then draw more of what browsers draw. */
export const mendSvg: Step = { engine: svgPlain, output: 'mended.svg', args: () => ['mended'] }

/**
 * The same for librsvg, which leaves out text along a path, and parts in HTML.
 * @throws CONVERSION_ERROR for a drawing that has any of them
 */
const mendComplete: Step = {
  ...mendSvg,
  facts: (lines) => {
    if (lines.includes('text path')) throw fail('CONVERSION_ERROR', 'The drawing has text along a path')
    if (lines.includes('html')) throw fail('CONVERSION_ERROR', 'The drawing has parts in HTML')
    return {}
  },
}

/** Prints a drawing with parts in HTML by a browser. Others are refused. @param paper `large`: see `browsed.ts`. */
const print = (...paper: string[]): Step[] => [
  { engine: svgPage, output: 'drawing.html', args: ({ name }) => [name, ...paper] },
  { engine: chromium, output: 'browsed.pdf' },
]

/** A drawing with parts in HTML as PDF, as a browser prints it. */
export const printHtmlParts: readonly Step[] = print()

/** The same as SVG. Text becomes outlines. */
export const drawHtmlParts: readonly Step[] = [
  ...print('large'),
  { engine: pdftocairo, output: 'paper.svg', args: () => ['-svg', '-f', 1, '-l', 1] },
  { engine: svgSized, output: 'browsed.svg', args: ({ scratch }) => [`${scratch}/drawing.html`] },
]

/** The same for drawings with text along a path, which Inkscape turns into outlines. Other text stays text. */
export const outlineTextPaths: readonly Step[] = [
  mendSvg,
  // Inkscape would load files that the drawing refers to.
  { engine: svgo, output: 'named.svg', args: () => ['alone'] },
  {
    engine: inkscape,
    output: 'outlines.svg',
    args: () => ['--export-type=svg', '--export-plain-svg', '--export-text-to-path'],
  },
  { engine: textsAlong, output: 'along.svg', args: ({ scratch }) => [`${scratch}/named.svg`] },
]

/**
 * First steps of routes from SVG, best first: of drawings that librsvg draws completely, with parts in HTML, with text
 * along a path, and without Chromium and Inkscape.
 */
export const mendings: readonly (readonly Step[])[] = [[mendComplete], drawHtmlParts, outlineTextPaths, [mendSvg]]
