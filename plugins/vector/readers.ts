import { ezdxf } from '../../engines/ezdxf.ts'
import { fig2dev } from '../../engines/fig2dev.ts'
import { inkscape } from '../../engines/inkscape.ts'
import { libredwg } from '../../engines/libredwg.ts'
import { potrace } from '../../engines/potrace.ts'
import { svgPlain } from '../../engines/svg.ts'
import { tracer } from '../../engines/trace.ts'
import { metafile } from '../formats/drawing.ts'
import { modelReaders } from './models.ts'
import { metafileReader, officeReader } from './office.ts'
import { pageReaders } from './pages.ts'
import type { Reader } from './stages.ts'

/** One drawing, where its SVG lies. */
const drawn = async (made: Promise<unknown>, file: string) => {
  await made
  return [file]
}

export const readers: readonly Reader[] = [
  { engine: svgPlain, from: ['svg'], read: async ({ input }) => [input] },
  {
    engine: svgPlain,
    from: ['svgz'],
    read: (job, run) => drawn(run(svgPlain, [], { output: `${job.scratch}/plain.svg` }), `${job.scratch}/plain.svg`),
  },
  ...pageReaders,
  metafileReader,
  {
    engine: inkscape,
    from: metafile,
    read: (job, run) => {
      const output = `${job.scratch}/metafile.svg`
      return drawn(run(inkscape, ['--export-type=svg', '--export-plain-svg', `--export-filename=${output}`]), output)
    },
  },
  {
    engine: fig2dev,
    from: ['fig'],
    read: (job, run) =>
      drawn(run(fig2dev, ['-L', 'svg'], { output: `${job.scratch}/fig.svg` }), `${job.scratch}/fig.svg`),
  },
  {
    engine: ezdxf,
    needs: ['ezdxf'],
    from: ['dxf'],
    read: (job, run) => drawn(run(ezdxf, [], { output: `${job.scratch}/dxf.svg` }), `${job.scratch}/dxf.svg`),
  },
  {
    engine: ezdxf,
    needs: ['ezdxf'],
    uses: [libredwg],
    from: ['dwg'],
    read: async (job, run) => {
      const [input, output] = [`${job.scratch}/drawing.dxf`, `${job.scratch}/drawing.svg`]
      await run(libredwg, [], { output: input })
      return drawn(run(ezdxf, [], { input, output }), output)
    },
  },
  officeReader,
  ...modelReaders,
  {
    engine: tracer,
    uses: [potrace],
    from: ['png', 'jpg', 'webp', 'avif', 'gif'],
    read: (job, run) =>
      drawn(run(tracer, [job.options.density], { output: `${job.scratch}/traced.svg` }), `${job.scratch}/traced.svg`),
  },
]
