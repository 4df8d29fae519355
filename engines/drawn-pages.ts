import type { Page, Step } from '../kernel/contract.ts'
import { fail } from '../kernel/kit.ts'
import { ghostscript } from './ghostscript.ts'
import { countPages, pdfinfo } from './poppler.ts'

/** Maximum number of pages of one document that become drawings; above it, RESOURCE_LIMIT. */
const MAX = 1000

function pagesOf(lines: readonly string[]): Page[] {
  const pages = countPages(lines)
  if (pages > MAX) throw fail('RESOURCE_LIMIT', `The document has ${pages} pages; ${MAX} can become drawings at a time`)
  return Array.from({ length: pages }, () => ({}))
}

/** Counts the pages of a PDF. Later steps with `each` run once for each page. */
export const count: Step = { engine: pdfinfo, output: false, facts: (lines) => ({ pages: pagesOf(lines) }) }

/** From PostScript to PDF. */
export const distil: Step = {
  engine: ghostscript,
  output: 'distilled.pdf',
  args: () => ['-sDEVICE=pdfwrite', '-dFirstPage=1', `-dLastPage=${MAX + 1}`],
}
