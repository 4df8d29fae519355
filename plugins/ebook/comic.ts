import { countPages, filesOf, pdfinfo, pdftoppm } from '../../engines/poppler.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Facts, Route, Step } from '../../kernel/contract.ts'
import { fail } from '../../kernel/kit.ts'
import type { EbookOptions } from './options.ts'

/** Pages of a document that become a comic; above it, RESOURCE_LIMIT. */
const MAX = 1000

/** Dots an inch. */
const RESOLUTION = 150

/** Pixels of a page's longer side, at most. */
const SIDE = 4096

interface ComicFacts {
  /** Dots an inch at which the first page fits. */
  dots: number
}

/** The number of pages, and at which resolution the first one fits. */
function measure(lines: readonly string[]): Partial<Facts<ComicFacts>> {
  const pages = countPages(lines)
  if (pages > MAX) throw fail('RESOURCE_LIMIT', `The document has ${pages} pages; a comic holds ${MAX}`)
  const [, width, height] = /^Page(?: +1)? size: +([\d.]+) x ([\d.]+)/m.exec(lines.join('\n')) ?? []
  const inches = Math.max(Number(width), Number(height)) / 72
  const dots = inches > 0 ? Math.min(RESOLUTION, Math.floor((SIDE / inches) * 100) / 100) : RESOLUTION
  return { pages: Array.from({ length: pages }, () => ({})), more: { dots } }
}

const draw: Step<EbookOptions, ComicFacts> = {
  engine: pdftoppm,
  args: (_, { facts }) => ['-jpeg', '-jpegopt', 'quality=85', '-cropbox', '-r', facts.more?.dots],
  output: 'page-%03d.jpg',
}

/** Comics: a picture a page, in a zip. */
export const comics: readonly Route<EbookOptions>[] = [
  {
    from: ['pdf'],
    to: ['cbz'],
    engine: pdftoppm,
    steps: [
      { engine: pdfinfo, facts: measure, output: false },
      draw,
      {
        engine: sharp,
        args: (_, { input, output, facts }) => [
          JSON.stringify({ task: 'zip', files: filesOf(input, facts.pages.length), name: 'page', output }),
        ],
      },
    ],
  },
]
