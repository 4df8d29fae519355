import { inkscape } from '../../engines/inkscape.ts'
import { rsvgConvert } from '../../engines/librsvg.ts'
import { svgo, svgPack, svgPlain } from '../../engines/svg.ts'
import type { Writer } from './stages.ts'

/** What every drawing can become, by way of SVG. */
export const writers: readonly Writer[] = [
  { engine: svgPlain, to: ['svg'], write: (_, run, files) => run(svgPlain, [], files) },
  { engine: svgPack, to: ['svgz'], write: (_, run, files) => run(svgPack, [], files) },
  // Size and resolution: librsvg counts 96 pixels to an inch, as CSS does.
  {
    engine: rsvgConvert,
    to: ['eps'],
    write: (_, run, files) => run(rsvgConvert, ['-f', 'eps', '-d', 96, '-p', 96], files),
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
