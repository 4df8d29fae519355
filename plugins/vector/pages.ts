import { count, distil } from '../../engines/drawn-pages.ts'
import { ghostscript } from '../../engines/ghostscript.ts'
import { pdftocairo, pdftops } from '../../engines/poppler.ts'
import { zipOfPages } from '../../engines/sharp.ts'
import type { Route, Step } from '../../kernel/contract.ts'
import type { Reader } from './join.ts'
import type { VectorOptions } from './options.ts'

const only = (page: number) => ['-f', page, '-l', page]

/** `-r`: resolution of the parts of a page that must be rasterised, such as blended colours. */
const drawEach: Step<VectorOptions> = {
  engine: pdftocairo,
  each: 'page',
  output: 'drawing-%03d.svg',
  args: ({ options }, { number }) => ['-svg', only(number), '-r', options.density],
}

/** From PDF to SVG, one file per page. */
export const drawPages: readonly Step<VectorOptions>[] = [count, drawEach]

/** From PDF with one page to SVG. */
export const drawPage: Step<VectorOptions> = {
  engine: pdftocairo,
  output: 'drawing.svg',
  args: ({ options }) => ['-svg', only(1), '-r', options.density],
}

/** From PDF to encapsulated PostScript, one file per page. Text stays text. */
const printPages: readonly Step<VectorOptions>[] = [
  count,
  {
    engine: pdftops,
    each: 'page',
    output: 'page-%03d.eps',
    args: ({ options }, { number }) => ['-eps', only(number), '-r', options.density],
  },
  zipOfPages,
]

/** From encapsulated PostScript to PDF, cropped to its bounding box. */
export const distilDrawing: Step<VectorOptions> = {
  engine: ghostscript,
  output: 'distilled.pdf',
  args: () => ['-sDEVICE=pdfwrite', '-dEPSCrop', '-dFirstPage=1', '-dLastPage=1'],
}

/** Illustrator files contain PDF. Before version 9 they are PostScript, which the second reader draws. */
export const pageReaders: readonly Reader[] = [
  { from: ['pdf', 'ai'], engine: pdftocairo, steps: drawPages },
  { from: ['eps', 'ai'], engine: ghostscript, steps: [distilDrawing, drawPage] },
  { from: ['ps'], engine: ghostscript, steps: [distil, ...drawPages] },
]

/** Encapsulated PostScript without SVG in between. */
export const encapsulations: readonly Route<VectorOptions>[] = [
  { from: ['pdf', 'ai'], to: ['eps'], engine: pdftops, steps: printPages },
  { from: ['ai'], to: ['eps'], engine: ghostscript, steps: [distilDrawing, ...printPages] },
  { from: ['ps'], to: ['eps'], engine: ghostscript, steps: [distil, ...printPages] },
]
