import type { Engine, Step } from '../kernel/contract.ts'
import { outlines } from './fonts/outlines.ts'
import { pdftops } from './poppler.ts'

/** Draws SVG as PostScript, PDF or PNG, without loading other files (rsvg-convert(1)). */
export const rsvgConvert: Engine = {
  name: 'librsvg',
  binary: ['rsvg-convert'],
  version: ['--version'],
  package: 'librsvg2-bin',
  argv: (job, args) => [args, '-o', job.output, job.input],
  sandbox: outlines,
}

/** Size and resolution: 96 pixels per inch, as in CSS. */
export const scale = ['-d', 96, '-p', 96] as const

/**
 * Draws SVG as encapsulated PostScript, page by page. Cairo needs the machine's /tmp for it, which is closed to
 * programs where there is no sandbox: there it goes by way of PDF.
 */
export const encapsulate: readonly Step[] = [
  {
    engine: rsvgConvert,
    each: 'page',
    output: 'encapsulated-%03d.eps',
    optional: true,
    args: () => ['-f', 'eps', scale],
  },
  {
    engine: rsvgConvert,
    each: 'page',
    output: 'encapsulated-%03d.pdf',
    when: { not: { written: 'encapsulated-%03d.eps' } },
    args: () => ['-f', 'pdf', scale],
  },
  {
    engine: pdftops,
    each: 'page',
    output: 'printed-%03d.eps',
    when: { written: 'encapsulated-%03d.pdf' },
    args: () => ['-eps'],
  },
]
