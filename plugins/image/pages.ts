import { ddjvu, djvused } from '../../engines/djvulibre.ts'
import { ghostscript } from '../../engines/ghostscript.ts'
import { countPages, pdfinfo, pdftocairo, pdftoppm } from '../../engines/poppler.ts'
import type { Args, Facts } from '../../kernel/contract.ts'
import { fail } from '../../kernel/kit.ts'
import type { ImageFacts, ImageStep } from './facts.ts'
import { AT_ONCE, render, sizesIn } from './render.ts'
import type { Reader } from './stages.ts'

/** Maximum number of pages of one document that become pictures; above it, RESOURCE_LIMIT. */
const MAX = 1000

/** As many pages, about which nothing is known yet. */
function bounded(pages: number): Partial<Facts<ImageFacts>> {
  if (pages <= MAX) return { pages: Array.from({ length: pages }, () => ({})) }
  throw fail('RESOURCE_LIMIT', `The document has ${pages} pages; ${MAX} can become pictures at a time`)
}

/** Counts the pages of a pdf and tells the sizes of the first ones. Before that, one page is assumed. */
const count: ImageStep = {
  engine: pdfinfo,
  args: () => ['-f', 1, '-l', AT_ONCE],
  facts: (lines) => ({ ...bounded(countPages(lines)), more: { sizes: sizesIn(lines, 1, AT_ONCE) } }),
  output: false,
}

/** Pictures inside keep every pixel and are not compressed again. */
const FAITHFUL = [
  '-dAutoFilterColorImages=false',
  '-dAutoFilterGrayImages=false',
  '-dColorImageFilter=/FlateEncode',
  '-dGrayImageFilter=/FlateEncode',
  '-dDownsampleColorImages=false',
  '-dDownsampleGrayImages=false',
  '-dDownsampleMonoImages=false',
]

/** Makes a pdf from the first pages of a PostScript file. */
const distil = (last: number, more: Args = []): ImageStep => ({
  engine: ghostscript,
  args: () => ['-sDEVICE=pdfwrite', FAITHFUL, more, '-dFirstPage=1', `-dLastPage=${last}`],
  output: 'postscript.pdf',
})

export const pageReaders: readonly Reader[] = [
  { from: ['pdf'], engine: pdftoppm, pages: 'all', steps: [count, render(pdftoppm)] },
  // Most files of this kind contain pdf. Older ones are PostScript, which the next reader converts.
  { from: ['ai'], engine: pdftocairo, pages: 'all', steps: [count, render(pdftocairo, '-transp')] },
  // A drawing is cropped to its bounding box and has no paper.
  { from: ['eps', 'ai'], steps: [distil(1, ['-dEPSCrop']), render(pdftocairo, '-transp')] },
  { from: ['ps'], pages: 'all', steps: [distil(MAX + 1), count, render(pdftoppm)] },
  {
    from: ['djvu'],
    engine: ddjvu,
    pages: 'all',
    steps: [
      { engine: djvused, args: () => ['n'], facts: (lines) => bounded(Number(lines.at(-1))), output: false },
      {
        engine: ddjvu,
        args: (_, { facts }) => ['-format=tiff', '-eachpage', `-page=1-${facts.pages.length}`],
        output: 'decoded/%03d.tif',
      },
    ],
  },
]
