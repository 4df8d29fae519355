import { inkscape } from '../../engines/inkscape.ts'
import { encapsulate, rsvgConvert } from '../../engines/librsvg.ts'
import { pdftops } from '../../engines/poppler.ts'
import { svgo, svgPack, svgPlain } from '../../engines/svg.ts'
import type { Writer } from './stages.ts'

/** What every drawing can become, by way of SVG. */
export const writers: readonly Writer[] = [
  { engine: svgPlain, to: ['svg'], write: (_, run, files) => run(svgPlain, [], files) },
  { engine: svgPack, to: ['svgz'], write: (_, run, files) => run(svgPack, [], files) },
  {
    engine: rsvgConvert,
    uses: [pdftops],
    to: ['eps'],
    write: (job, run, files) => encapsulate(run, files, job.scratch),
  },
  {
    engine: inkscape,
    uses: [svgo],
    to: ['emf', 'wmf'],
    write: async (job, run, { input, output }) => {
      // Inkscape would follow what the drawing names.
      const alone = `${job.scratch}/alone.svg`
      await run(svgo, ['alone'], { input, output: alone })
      const type = [`--export-type=${job.to}`, `--export-dpi=${job.options.density}`, `--export-filename=${output}`]
      await run(inkscape, type, { input: alone })
    },
  },
]
