import { ghostscript } from '../../engines/ghostscript.ts'
import { countPages, pdfinfo, pdftocairo, pdftops } from '../../engines/poppler.ts'
import { zipOfPages } from '../../engines/sharp.ts'
import type { Page, Route, Step } from '../../kernel/contract.ts'
import { fail } from '../../kernel/kit.ts'
import type { Reader } from './join.ts'
import type { VectorOptions } from './options.ts'

/** Pages of one document that become drawings; above it, RESOURCE_LIMIT. */
const MOST = 1000

function pagesOf(lines: readonly string[]): Page[] {
  const pages = countPages(lines)
  if (pages > MOST)
    throw fail('RESOURCE_LIMIT', `The document has ${pages} pages; ${MOST} can become drawings at a time`)
  return Array.from({ length: pages }, () => ({}))
}

const count: Step<VectorOptions> = { engine: pdfinfo, output: false, facts: (lines) => ({ pages: pagesOf(lines) }) }

const only = (page: number) => ['-f', page, '-l', page]

/** `-r`: the resolution of what a page needs a picture for, such as blended colours. */
const drawEach: Step<VectorOptions> = {
  ...{ engine: pdftocairo, each: 'page', output: 'drawing-%03d.svg' },
  args: ({ options }, { number }) => ['-svg', only(number), '-r', options.density],
}

/** From PDF to SVG, one file a page. */
export const drawPages: readonly Step<VectorOptions>[] = [count, drawEach]

/** From PDF of one page to SVG. */
export const drawPage: Step<VectorOptions> = {
  ...{ engine: pdftocairo, output: 'drawing.svg' },
  args: ({ options }) => ['-svg', only(1), '-r', options.density],
}

/** From PDF to encapsulated PostScript, one file a page, in which text stays text. */
const printPages: readonly Step<VectorOptions>[] = [
  count,
  {
    ...{ engine: pdftops, each: 'page', output: 'page-%03d.eps' },
    args: ({ options }, { number }) => ['-eps', only(number), '-r', options.density],
  },
  zipOfPages,
]

/** From PostScript to PDF. */
export const distil: Step<VectorOptions> = {
  ...{ engine: ghostscript, output: 'distilled.pdf' },
  args: () => ['-sDEVICE=pdfwrite', '-dFirstPage=1', `-dLastPage=${MOST + 1}`],
}

/** From encapsulated PostScript to PDF, cut to its box. */
export const distilDrawing: Step<VectorOptions> = {
  ...{ engine: ghostscript, output: 'distilled.pdf' },
  args: () => ['-sDEVICE=pdfwrite', '-dEPSCrop', '-dFirstPage=1', '-dLastPage=1'],
}

/** Illustrator's files are PDF inside; those before version 9 are PostScript, which the second reader draws. */
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
