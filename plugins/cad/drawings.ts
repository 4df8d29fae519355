import { dxfOutlines } from '../../engines/dxf-outlines.ts'
import { inkscape } from '../../engines/inkscape.ts'
import { libredwg } from '../../engines/libredwg.ts'
import { encapsulate, rsvgConvert } from '../../engines/librsvg.ts'
import { pdftops } from '../../engines/poppler.ts'
import { potrace } from '../../engines/potrace.ts'
import { pstoedit } from '../../engines/pstoedit.ts'
import { tracer } from '../../engines/trace.ts'
import type { Job, Route, Run } from '../../kernel/contract.ts'
import { metafile } from '../formats/drawing.ts'
import type { CadOptions } from './options.ts'

/** Outlines of an SVG drawing, in millimetres. Pictures in it have none: what holds nothing else is refused. */
async function outline(job: Job<CadOptions>, run: Run, drawing: string) {
  const postscript = `${job.scratch}/drawing.eps`
  const lines = `${job.scratch}/lines.dxf`
  await encapsulate(run, { input: drawing, output: postscript }, job.scratch)
  await run(pstoedit, ['-f', 'dxf: -mm'], { input: postscript, output: lines })
  await run(dxfOutlines, [], { input: lines })
}

/** DXF out of drawings: many pages have no place in one. */
export const drawings: Route<CadOptions>[] = [
  {
    ...{ from: ['svg', 'svgz'], to: ['dxf'] },
    ...{ engine: pstoedit, uses: [rsvgConvert, pdftops, dxfOutlines] },
    convert: (job, run) => outline(job, run, job.input),
  },
  {
    ...{ from: ['png', 'jpg', 'webp', 'avif', 'gif'], to: ['dxf'] },
    ...{ engine: tracer, uses: [potrace, rsvgConvert, pdftops, pstoedit, dxfOutlines] },
    convert: async (job, run) => {
      const traced = `${job.scratch}/traced.svg`
      await run(tracer, [job.options.density], { output: traced })
      await outline(job, run, traced)
    },
  },
  { from: ['dwg'], to: ['dxf'], engine: libredwg, args: () => [] },
  {
    // Inkscape keeps the corners where they are; a printed page rounds them.
    ...{ from: metafile, to: ['dxf'] },
    ...{ engine: pstoedit, uses: [inkscape, rsvgConvert, pdftops, dxfOutlines] },
    convert: async (job, run) => {
      const drawing = `${job.scratch}/metafile.svg`
      await run(inkscape, ['--export-type=svg', '--export-plain-svg', `--export-filename=${drawing}`])
      await outline(job, run, drawing)
    },
  },
  { from: ['pdf', 'eps', 'ps', 'ai', 'fig', 'cdr'], to: ['dxf'], via: 'svg' },
]
