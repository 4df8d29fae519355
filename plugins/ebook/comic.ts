import { pdfinfo, pdftoppm } from '../../engines/poppler.ts'
import { sharp } from '../../engines/sharp.ts'
import type { Route } from '../../kernel/contract.ts'
import type { EbookOptions } from './options.ts'

/** Pages of a document that become a comic; above it, RESOURCE_LIMIT. */
const MOST = 1000

/** Dots an inch. */
const RESOLUTION = 150

/** Pixels of a page's longer side, at most. */
const SIDE = 4096

const failure = (code: 'RESOURCE_LIMIT' | 'CONVERSION_ERROR', message: string) =>
  Object.assign(new Error(message), { code })

/** Comics: a picture a page, in a zip. */
export const comics: readonly Route<EbookOptions>[] = [
  {
    from: ['pdf'],
    to: ['cbz'],
    engine: pdftoppm,
    uses: [pdfinfo, sharp],
    convert: async (job, run) => {
      // The document's own words come first in the list, so the last line of a kind is poppler's.
      const lines = await run(pdfinfo, [])
      const pages = Number(lines.findLast((line) => line.startsWith('Pages:'))?.slice(6))
      if (!(pages >= 1)) throw failure('CONVERSION_ERROR', 'The document has no pages')
      if (pages > MOST) throw failure('RESOURCE_LIMIT', `The document has ${pages} pages; a comic holds ${MOST}`)
      const [, width, height] = /^Page(?: +1)? size: +([\d.]+) x ([\d.]+)/m.exec(lines.join('\n')) ?? []
      const inches = Math.max(Number(width), Number(height)) / 72
      const dots = inches > 0 ? Math.min(RESOLUTION, Math.floor((SIDE / inches) * 100) / 100) : RESOLUTION
      const stem = `${job.scratch}/page`
      await run(pdftoppm, ['-jpeg', '-jpegopt', 'quality=85', '-cropbox', '-r', dots], { output: stem })
      const digits = String(pages).length
      const files = Array.from(
        { length: pages },
        (_, index) => `${stem}-${String(index + 1).padStart(digits, '0')}.jpg`,
      )
      await run(sharp, [JSON.stringify({ task: 'zip', files, name: 'page', output: job.output })])
    },
  },
]
